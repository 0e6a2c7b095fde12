import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Envelope } from '../../sdk/types.js';
import type { ConsoleOperation } from '../shared.js';
import { useAction } from './action.js';
import { FormDialog } from './form-dialog.js';
import { Dialog } from './dialog.js';
import { CallDrawer } from './drawer.js';
import { useDraft } from './draft.js';
import { fieldProblem, Fields } from './field.js';
import type { IconName } from './icon.js';
import { useOpened } from './opened.js';
import { Button } from './page.js';
import { Refusal } from './refusal.js';
import { withoutSecrets } from './secret.js';
import { operationNamed, refusalFor, type ConsoleFields, type Row } from './state.js';

interface OperationButtonProps {
  /** The operation's name. If the server does not have it, the button is not shown. */
  operation: string;
  /** A verb with an object: “Ban user”. It is the text of the button and the title of its dialog. */
  action: string;
  /** What the screen sets. */
  input: Row;
  /** Makes `input` again right before the call (`Input` in action.ts). */
  latest?: () => Promise<Row>;
  /** The fields that the dialog asks for; with none and no `children`, the button acts at once. */
  fields?: readonly string[];
  /** Fields in another form than the schema's, such as a list of texts as boxes. */
  shownAs?: ConsoleFields;
  /** What the fields contain at first. */
  initial?: Row;
  /** What will happen, and to how many. */
  children?: ComponentChildren;
  kind?: 'main' | 'bare' | 'danger' | 'small' | undefined;
  icon?: IconName;
  /** What the toast says when it is done, such as “User banned”. */
  done: string;
  onDone?: (envelope: Envelope<Row>) => void;
  /** What opens its dialog in an address (`useOpened`). */
  opens?: string;
  /** Why it makes no sense now, for a button that stays visible. */
  refused?: string | undefined;
}

/** A button that calls an operation, after asking for what it needs and saying what it does. */
export function OperationButton({ operation: name, refused, ...props }: OperationButtonProps) {
  const operation = operationNamed(name);
  const [open, setOpen] = useOpened(props.opens, refused ?? (operation && refusalFor(operation)));
  const { busy, problem, clear, send } = useAction();
  if (!operation) return null;
  const { action, kind, icon, fields = [], children, input, latest = input, done, onDone } = props;
  const asks = fields.length > 0 || children !== undefined;
  const act = async (): Promise<void> => {
    const envelope = await send(name, latest, { said: `${done}.` });
    if (envelope) onDone?.(envelope);
  };
  return (
    <>
      <Button
        kind={kind}
        busy={busy}
        refused={refused ?? refusalFor(operation)}
        onClick={() => (asks ? setOpen(true) : void act())}
        {...(icon === undefined ? {} : { icon })}
      >
        {action}
      </Button>
      {open ? <OperationDialog operation={operation} {...props} onClose={() => setOpen(false)} /> : null}
      {problem === undefined ? null : (
        <Dialog title={action} onClose={clear}>
          <Refusal error={problem} again={() => void act()} />
          <form method="dialog" class="row end">
            <button class="b">Close</button>
          </form>
        </Dialog>
      )}
    </>
  );
}

function OperationDialog({
  operation,
  action,
  input,
  latest,
  fields = [],
  shownAs = {},
  initial = {},
  children,
  kind,
  done,
  onDone,
  onClose,
}: Omit<OperationButtonProps, 'operation'> & { operation: ConsoleOperation; onClose: () => void }) {
  const draft = useDraft<Row>(`dialog ${operation.name} ${JSON.stringify(input)}`, withoutSecrets(operation));
  const given = draft.value ?? initial;
  const { busy, problem, send: sendOperation } = useAction();
  const id = useId();
  const sent = { ...input, ...given };
  const known = { ...operation.input, ...shownAs };
  const shown = Object.fromEntries(fields.flatMap((name) => (known[name] ? [[name, known[name]]] : [])));
  const atField = fieldProblem(problem, shown);

  const send = async (): Promise<void> => {
    const made = latest && (async (): Promise<Row> => ({ ...(await latest()), ...given }));
    const envelope = await sendOperation(operation.name, made ?? sent, { said: `${done}.` });
    if (!envelope) return;
    draft.edit(undefined);
    onClose();
    onDone?.(envelope);
  };
  return (
    <FormDialog
      title={action}
      action={action}
      kind={operation.destructive || kind === 'danger' ? 'danger' : 'main'}
      busy={busy}
      onCancel={() => {
        draft.edit(undefined);
        onClose();
      }}
      onSubmit={() => void send()}
      onClose={onClose}
      id={id}
    >
      {children === undefined ? null : <div class="soft stack tight">{children}</div>}
      {problem === undefined || atField ? null : <Refusal error={problem} again={() => void send()} />}
      <Fields
        fields={known}
        only={fields}
        value={given}
        onChange={(changed) => draft.edit(changed ?? {})}
        problem={atField}
      />
      <details class="more">
        <summary>The request</summary>
        <CallDrawer operation={operation} input={sent} />
      </details>
    </FormDialog>
  );
}
