import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { isSvcError } from '../../sdk/errors.js';
import type { Envelope } from '../../sdk/types.js';
import type { ConsoleOperation } from '../shared.js';
import { call } from './client.js';
import { Dialog } from './dialog.js';
import { CallDrawer } from './drawer.js';
import { Fields } from './field.js';
import type { IconName } from './icon.js';
import { Button } from './page.js';
import { refreshAll } from './read.js';
import { fieldOf, Refusal } from './refusal.js';
import { operationNamed, refusalOf, type ConsoleFields, type Row } from './state.js';
import { toast } from './toast.js';

interface OperationButtonProps {
  /** The operation's name. Without it on this server, there is no button. */
  operation: string;
  /** A verb with an object: “Ban user”. It is the text of the button and the title of its dialog. */
  action: string;
  /** What the screen sets. */
  input: Row;
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
  /** Why it makes no sense now, for a button that stays visible. */
  refused?: string | undefined;
}

/** A button that calls an operation, after asking for what it needs and saying what it does. */
export function OperationButton({ operation: name, refused, ...props }: OperationButtonProps) {
  const operation = operationNamed(name);
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  if (!operation) return null;
  const { action, kind, icon, fields = [], children, input, done, onDone } = props;
  const asks = fields.length > 0 || children !== undefined;
  const act = async (): Promise<void> => {
    setBusy(true);
    try {
      const envelope = await call(name, input);
      toast(`${done}.`, envelope.activityId);
      await refreshAll();
      onDone?.(envelope);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        kind={kind}
        busy={busy}
        refused={refused ?? refusalOf(operation)}
        onClick={() => (asks ? setOpen(true) : void act())}
        {...(icon === undefined ? {} : { icon })}
      >
        {action}
      </Button>
      {open ? <OperationDialog operation={operation} {...props} onClose={() => setOpen(false)} /> : null}
      {problem === undefined ? null : (
        <Dialog title={action} onClose={() => setProblem(undefined)}>
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
  fields = [],
  shownAs = {},
  initial = {},
  children,
  kind,
  done,
  onDone,
  onClose,
}: Omit<OperationButtonProps, 'operation'> & { operation: ConsoleOperation; onClose: () => void }) {
  const [given, setGiven] = useState<Row>(initial);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  // A repeat after a lost answer carries the same key, so that nothing is done twice.
  const repeatKey = useRef<string>(undefined);
  const id = useId();
  const sent = { ...input, ...given };
  const named = fieldOf(problem);
  const isShown = named !== undefined && fields.includes(named.split('.')[0] ?? '');
  const atField =
    named === undefined || !isSvcError(problem)
      ? undefined
      : { path: named, text: `${problem.message} ${problem.fix}` };

  const send = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const envelope = await call(
        operation.name,
        sent,
        repeatKey.current === undefined ? {} : { idempotencyKey: repeatKey.current },
      );
      toast(`${done}.`, envelope.activityId);
      onClose();
      await refreshAll();
      onDone?.(envelope);
    } catch (error) {
      repeatKey.current = isSvcError(error) && error.status === 0 ? error.idempotencyKey : undefined;
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={action} onClose={onClose}>
      <form
        id={id}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {children === undefined ? null : <div class="soft stack tight">{children}</div>}
        {problem === undefined || isShown ? null : <Refusal error={problem} again={() => void send()} />}
        <Fields
          fields={{ ...operation.input, ...shownAs }}
          only={fields}
          value={given}
          onChange={(changed) => {
            repeatKey.current = undefined;
            setGiven(changed ?? {});
          }}
          problem={atField}
        />
        <details class="more">
          <summary>The request</summary>
          <CallDrawer operation={operation} input={sent} />
        </details>
        <div class="row end">
          <Button kind="bare" onClick={onClose}>
            Cancel
          </Button>
          <Button kind={operation.destructive || kind === 'danger' ? 'danger' : 'main'} submit busy={busy}>
            {busy ? 'Working…' : action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
