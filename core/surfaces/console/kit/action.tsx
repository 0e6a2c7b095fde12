import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { InputOf, ResultOf } from '../../sdk/client.js';
import { isSvcError } from '../../sdk/errors.js';
import type { OperationName } from '../../sdk/operations.gen.js';
import type { Envelope } from '../../sdk/types.js';
import { call } from './client.js';
import { Confirm } from './dialog.js';
import type { IconName } from './icon.js';
import { Button } from './page.js';
import { refreshAll } from './read.js';
import { operationNamed, refusalOf, type Row } from './state.js';
import { toast } from './toast.js';

/* Writes of screens that are made by hand. */

export interface Action {
  readonly busy: boolean;
  /** Why the last call was refused. */
  readonly problem: unknown;
  readonly clear: () => void;
  /**
   * Calls an operation. After a write everything on screen is read again.
   * @param said what the toast says; none if left out
   * @returns undefined if it was refused: `problem` says why
   */
  readonly run: <N extends OperationName>(
    name: N,
    input: InputOf<N>,
    said?: string,
  ) => Promise<ResultOf<N> | undefined>;
}

/** The state of a screen's own writes. A repeat after a lost answer carries the same key, so nothing is done twice. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const lost = useRef<{ readonly call: string; readonly key: string }>(undefined);
  return {
    busy,
    problem,
    clear: () => setProblem(undefined),
    async run(name, input, said) {
      setBusy(true);
      setProblem(undefined);
      const made = JSON.stringify([name, input]);
      try {
        const key = lost.current?.call === made ? lost.current.key : undefined;
        const envelope = await call(name, input, key === undefined ? {} : { idempotencyKey: key });
        lost.current = undefined;
        if (said !== undefined) toast(said, envelope.activityId);
        if (operationNamed(name)?.read !== true) await refreshAll();
        return envelope.result;
      } catch (error) {
        lost.current =
          isSvcError(error) && error.status === 0 && error.idempotencyKey !== undefined
            ? { call: made, key: error.idempotencyKey }
            : undefined;
        setProblem(error);
        return undefined;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** Why the person may not call an operation; also if the server does not have it. */
export const refusalFor = (name: OperationName): string | undefined => {
  const operation = operationNamed(name);
  return operation ? refusalOf(operation) : 'This server does not have the operation.';
};

interface ActionButtonProps {
  operation: OperationName;
  input: Row;
  /** A verb with an object. */
  children: string;
  kind?: 'main' | 'bare' | 'danger' | 'small' | undefined;
  icon?: IconName;
  /** What the toast says. */
  said: string;
  /** Asks first: what will happen, and to how many. */
  confirm?: ComponentChildren;
  onProblem: (problem: unknown) => void;
  onDone?: (envelope: Envelope<Row>) => void;
}

/** A button that calls an operation, after asking if `confirm` is given. */
export function ActionButton({
  operation,
  input,
  children,
  kind,
  icon,
  said,
  confirm,
  onProblem,
  onDone,
}: ActionButtonProps) {
  const [asking, ask] = useState(false);
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    onProblem(undefined);
    const name: string = operation;
    try {
      const envelope = await call(name, input);
      toast(said, envelope.activityId);
      await refreshAll();
      onDone?.(envelope);
    } catch (error) {
      onProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        kind={kind}
        {...(icon === undefined ? {} : { icon })}
        busy={busy}
        refused={refusalFor(operation)}
        onClick={() => (confirm === undefined ? void send() : ask(true))}
      >
        {children}
      </Button>
      {asking ? (
        <Confirm title={`${children}?`} action={children} onConfirm={() => void send()} onClose={() => ask(false)}>
          {confirm}
        </Confirm>
      ) : null}
    </>
  );
}
