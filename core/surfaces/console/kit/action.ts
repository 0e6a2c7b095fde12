import { useRef, useState } from 'preact/hooks';
import type { InputOf, ResultOf } from '../../sdk/client.js';
import { isSvcError } from '../../sdk/errors.js';
import { isRetryable } from '../../sdk/retry.js';
import type { OperationName } from '../../sdk/operations.gen.js';
import type { Envelope } from '../../sdk/types.js';
import { call } from './client.js';
import { refreshAll } from './read.js';
import { operationNamed, type Row } from './state.js';
import { toast } from './toast.js';

interface SendOptions {
  /** What the toast says; none if left out. */
  readonly said?: string | undefined;
  /** Another key than the session's, for operations that end users' apps call. */
  readonly key?: string | undefined;
}

/**
 * The input of a write, or what makes it right before the call. A list that is replaced as a whole is read again first,
 * so that the write keeps what others have changed since the screen was read.
 */
export type Input<T> = T | (() => Promise<T>);

interface Action {
  readonly busy: boolean;
  /** Why the last call was refused. */
  readonly problem: unknown;
  readonly clear: () => void;
  /**
   * Calls an operation. After a write everything on screen is read again, once the caller has used the reply.
   * @returns undefined if it was refused: `problem` says why
   */
  readonly send: (name: string, input: Input<Row>, options?: SendOptions) => Promise<Envelope<Row> | undefined>;
  /** As `send`, typed by the operation's name; waits until everything is read again. @returns the result */
  readonly run: <N extends OperationName>(
    name: N,
    input: Input<InputOf<N>>,
    said?: string,
  ) => Promise<ResultOf<N> | undefined>;
}

/** The state of a screen's writes. A repeat after a lost answer carries the same key, so that nothing is done twice. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const lost = useRef<{ readonly call: string; readonly key: string }>(undefined);
  /** At once, unlike `busy`: a key that is held submits again before the screen is drawn. */
  const running = useRef(false);

  async function attempt<I extends object, T>(
    name: string,
    given: Input<I>,
    said: string | undefined,
    make: (input: I, key?: string) => Promise<Envelope<T>>,
    /** Awaited after the call. Until it is done, the screen shows the state before the call. */
    settle?: () => Promise<void>,
  ) {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    let made = '';
    try {
      const input = typeof given === 'function' ? await given() : given;
      made = JSON.stringify([name, input]);
      const envelope = await make(input, lost.current?.call === made ? lost.current.key : undefined);
      lost.current = undefined;
      if (said !== undefined) toast(said, envelope.activityId);
      await settle?.();
      return envelope;
    } catch (error) {
      lost.current =
        isSvcError(error) && isRetryable(error) && error.idempotencyKey !== undefined
          ? { call: made, key: error.idempotencyKey }
          : undefined;
      setProblem(error);
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }

  return {
    busy,
    problem,
    clear: () => setProblem(undefined),
    async send(name, input, { said, key } = {}) {
      const envelope = await attempt(name, input, said, (sent, idempotencyKey) =>
        call(name, sent, { key, idempotencyKey }),
      );
      // Not awaited: a new secret is shown at once, and a screen whose thing is gone is left first.
      if (envelope) setTimeout(() => refreshAfter(name));
      return envelope;
    },
    async run(name, input, said) {
      const envelope = await attempt(
        name,
        input,
        said,
        (sent, idempotencyKey) => call(name, sent, { idempotencyKey }),
        () => refreshAfter(name),
      );
      return envelope?.result;
    },
  };
}

/** After a write everything on screen is read again. */
const refreshAfter = async (name: string): Promise<void> => {
  if (operationNamed(name)?.read !== true) await refreshAll();
};
