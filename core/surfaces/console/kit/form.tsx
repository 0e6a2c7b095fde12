import { useEffect, useRef, useState } from 'preact/hooks';
import { isSvcError } from '../../sdk/errors.js';
import type { Envelope } from '../../sdk/types.js';
import type { CliField } from '../../cli/command-catalogue.js';
import type { ConsoleOperation } from '../shared.js';
import { useAction } from './action.js';
import { nullText, settingsShowerOf, showerOf } from './address.js';
import { SaveProblem } from './changed.js';
import { Confirm } from './dialog.js';
import { CallDrawer } from './drawer.js';
import { useEdits, type Edits } from './edits.js';
import { withoutSecrets } from './secret.js';
import { Field, fieldProblem, Fields } from './field.js';
import { Button } from './page.js';
import { Prose } from './prose.js';
import { useRead } from './read.js';
import { refusalFor, type Row } from './state.js';
import { actionTitle, firstSentence, productOf } from './words.js';

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

/** The required fields of an input: they name the thing. */
const requiredOf = ({ input }: ConsoleOperation, row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => input[name]?.required === true));

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An update sends only what was changed here, so that it keeps what others have saved; and what is on or off, because
 * that may be off if it is left out. Other operations replace what is left out.
 */
function guardedInput(operation: ConsoleOperation, { value, changes, guard }: Edits<Row>): Row {
  if (!operation.name.endsWith('.update')) return { ...value, ...guard };
  const switches = Object.entries(value).filter(([name]) => operation.input[name]?.type === 'boolean');
  return { ...requiredOf(operation, value), ...Object.fromEntries(switches), ...changes, ...guard };
}

/** An object as a form shows it: nothing stands for what is empty. */
const withoutNulls = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

/** Values that are saved. */
interface Known {
  readonly values: Row;
  readonly updatedAt: string | null;
}

/** The thing in a reply. */
const thingIn = (reply: Row): Row | undefined =>
  Object.values(reply)
    .filter(isRow)
    .find((each) => 'updatedAt' in each);

const updatedAtOf = (thing: Row | undefined): string | undefined =>
  typeof thing?.['updatedAt'] === 'string' ? thing['updatedAt'] : undefined;

/** The thing as it is now, once an update was refused because somebody else had changed it. */
function useLatest(operation: ConsoleOperation, start: Row, problem: unknown): Known | undefined {
  const wasChanged = useRef(false);
  if (isSvcError(problem) && problem.code === 'changed_meanwhile') wasChanged.current = true;
  const id = Object.keys(requiredOf(operation, start))[0];
  const shower = id === undefined ? settingsShowerOf(operation) : showerOf(id, productOf(operation));
  const enabled = wasChanged.current && shower !== undefined;
  const { data } = useRead(shower?.name ?? '', id === undefined ? {} : { [id]: start[id] }, { enabled });
  const thing = enabled && data ? thingIn(data) : undefined;
  const updatedAt = updatedAtOf(thing);
  if (!thing || updatedAt === undefined) return undefined;
  const values = Object.keys(operation.input).flatMap((name): [string, unknown][] => {
    const value = thing[name] ?? (name in requiredOf(operation, start) ? start[name] : undefined);
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
    return [[name, isRow(value) ? withoutNulls(value) : value]];
  });
  return { values: Object.fromEntries(values), updatedAt };
}

export function OperationForm({
  operation,
  initial = {},
  fixed = {},
  action = actionTitle(operation),
  onDone,
  onInput,
}: OperationFormProps) {
  const sending = useAction();
  const { ifUnchangedSince: since, ...start } = initial;
  const latest = useLatest(operation, start, sending.problem);
  const record = `form ${operation.name} ${JSON.stringify([fixed, requiredOf(operation, start)])}`;
  /** What this form has saved last stays in it. */
  const [done, keep] = useState<Known>();
  const known = latest ?? done;
  const began = known?.updatedAt ?? (typeof since === 'string' ? since : null);
  const edits = useEdits<Row>(record, known?.values ?? start, began, withoutSecrets(operation));
  const input = edits.value;
  const isGuarded = began !== null && 'ifUnchangedSince' in operation.input;
  const [publishableKey, setKey] = useState<string>();
  const { busy, problem } = sending;
  const [asking, ask] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const sent = { ...(isGuarded ? guardedInput(operation, edits) : input), ...fixed };
  const names = Object.keys(operation.input).filter(
    (name) => !(name in fixed) && !(isGuarded && name === 'ifUnchangedSince'),
  );
  const shownFirst = names.filter((name) => operation.input[name]?.required === true || name in initial);
  const rest = names.filter((name) => !shownFirst.includes(name));
  const atField = fieldProblem(problem, operation.input);
  const isShown = atField !== undefined && names.includes(topOf(atField.path));

  useEffect(() => {
    if (isShown) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problem]);

  const change = (changed: Row | undefined): void => {
    edits.edit(changed ?? {});
    onInput?.({ ...changed, ...fixed });
  };

  const send = async (): Promise<void> => {
    const said = operation.read ? undefined : `Done: ${action.charAt(0).toLowerCase()}${action.slice(1)}.`;
    edits.begin();
    const envelope = await sending.send(operation.name, sent, { said, key: publishableKey });
    if (!envelope) return;
    const updatedAt = isGuarded ? (updatedAtOf(thingIn(envelope.result)) ?? null) : null;
    keep({ values: input, updatedAt });
    edits.saved(input, updatedAt);
    onDone?.(envelope, sent);
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
          <SaveProblem
            error={isShown ? undefined : problem}
            again={() => void send()}
            busy={busy}
            edits={edits}
            onMerged={sending.clear}
          />
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
