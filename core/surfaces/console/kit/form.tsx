import { useEffect, useRef, useState } from 'preact/hooks';
import type { Envelope } from '../../sdk/types.js';
import type { CliField } from '../../cli/command-catalogue.js';
import type { ConsoleOperation } from '../shared.js';
import { useAction } from './action.js';
import { nullText } from './address.js';
import { Confirm } from './dialog.js';
import { CallDrawer } from './drawer.js';
import { Field, fieldProblem, Fields } from './field.js';
import { Button } from './page.js';
import { Prose } from './prose.js';
import { Refusal } from './refusal.js';
import { refusalFor, type Row } from './state.js';
import { actionTitle, firstSentence } from './words.js';

/* The form of an operation, made from its input schema, with the request that it sends beside it. */

interface OperationFormProps {
  operation: ConsoleOperation;
  /** Fields that are filled in at first. */
  initial?: Row;
  /** Fields that the screen sets: they are sent, and not shown. */
  fixed?: Row;
  /** The text of the button, a verb with an object. */
  action?: string;
  onDone?: (envelope: Envelope<Row>, input: Row) => void;
  /** Called for each change, for screens that show something beside the form. */
  onInput?: (input: Row) => void;
}

/** A value from the query of an address, by the type of its field. Texts are taken as they are: “1001” is one too. */
export function fromQuery(text: string, field: CliField | undefined): unknown {
  if (field?.nullable && text === nullText) return null;
  if (!field || field.type === 'text') return text;
  try {
    return JSON.parse(text);
  } catch {
    return field.type === 'list' ? [text] : text;
  }
}

/** A key for operations that end users' apps call: it is in no dashboard session. */
const needsKey = ({ access }: ConsoleOperation): boolean => access === 'publishable' || access === 'user';

const keyField: CliField = {
  type: 'text',
  required: true,
  description: 'Apps call this with a publishable key of the environment. It is used for this call only.',
};

/** The outermost field of a path. */
const topOf = (path: string): string => path.split(/[.[]/)[0] ?? '';

export function OperationForm({
  operation,
  initial = {},
  fixed = {},
  action = actionTitle(operation),
  onDone,
  onInput,
}: OperationFormProps) {
  const [input, setInput] = useState<Row>(initial);
  const [publishableKey, setKey] = useState<string>();
  const sending = useAction();
  const { busy, problem } = sending;
  const [asking, ask] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const sent = { ...input, ...fixed };
  const names = Object.keys(operation.input).filter((name) => !(name in fixed));
  const shownFirst = names.filter((name) => operation.input[name]?.required === true || name in initial);
  const rest = names.filter((name) => !shownFirst.includes(name));
  const atField = fieldProblem(problem, operation.input);
  const isShown = atField !== undefined && names.includes(topOf(atField.path));

  useEffect(() => {
    if (isShown) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problem]);

  const change = (changed: Row | undefined): void => {
    setInput(changed ?? {});
    onInput?.({ ...changed, ...fixed });
  };

  const send = async (): Promise<void> => {
    const said = operation.read ? undefined : `Done: ${action.charAt(0).toLowerCase()}${action.slice(1)}.`;
    const envelope = await sending.send(operation.name, sent, { said, key: publishableKey });
    if (envelope) onDone?.(envelope, sent);
  };

  return (
    <div class="two form">
      <form
        ref={form}
        class="card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (operation.destructive) ask(true);
          else void send();
        }}
      >
        <div class="in stack">
          {problem === undefined || isShown ? null : <Refusal error={problem} again={() => void send()} />}
          {names.length === 0 ? <p class="soft">It takes no input.</p> : null}
          <Fields fields={operation.input} only={shownFirst} value={input} onChange={change} problem={atField} />
          {needsKey(operation) ? (
            <Field
              name="publishableKey"
              path="publishableKey"
              field={keyField}
              value={publishableKey}
              onChange={(value) => setKey(typeof value === 'string' ? value : undefined)}
            />
          ) : null}
          {rest.length === 0 ? null : (
            <details
              class="more"
              open={shownFirst.length === 0 || rest.includes(topOf(atField?.path ?? '')) || undefined}
            >
              <summary>{shownFirst.length === 0 ? 'Fields' : 'More fields'}</summary>
              <div class="stack">
                <Fields fields={operation.input} only={rest} value={input} onChange={change} problem={atField} />
              </div>
            </details>
          )}
          <div class="row">
            <Button kind={operation.destructive ? 'danger' : 'main'} submit busy={busy} refused={refusalFor(operation)}>
              {busy ? 'Working…' : action}
            </Button>
            {operation.billable ? <span class="faint">This is billed.</span> : null}
          </div>
        </div>
      </form>
      <CallDrawer operation={operation} input={sent} />
      {asking ? (
        <Confirm title={`${action}?`} action={action} onConfirm={() => void send()} onClose={() => ask(false)}>
          <p>{firstSentence(operation.summary)}.</p>
          {operation.description === undefined ? null : (
            <p>
              <Prose text={operation.description} />
            </p>
          )}
        </Confirm>
      ) : null}
    </div>
  );
}
