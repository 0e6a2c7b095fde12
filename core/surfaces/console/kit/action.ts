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
import { rowAt } from './value.js';
import { followWork } from './work.js';

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
  /**
   * As `send`, typed by the operation's name; waits until everything is read again.
   * @param written called as soon as the write has succeeded, before that is said and anything is read
   * @returns the result
   */
  readonly run: <N extends OperationName>(
    name: N,
    input: Input<InputOf<N>>,
    said?: string,
    written?: () => void,
  ) => Promise<ResultOf<N> | undefined>;
  /**
   * As `run`, for an action of two writes: save, then publish. Every such action needs it, because the second write can
   * change what the first one may do.
   * @returns the result of the second; undefined if one of them was refused
   */
  readonly runBoth: <F extends OperationName, N extends OperationName>(
    first: Write<F>,
    second: Write<N>,
    said?: string,
  ) => Promise<ResultOf<N> | undefined>;
}

type Write<N extends OperationName> = readonly [name: N, input: InputOf<N>];

/**
 * The state of a screen's writes. Nothing is done twice after a lost answer:
 * - A write keeps its key until it is answered, whatever is called in between. Its repeat carries the key.
 * - If the second write of an action is lost, the repeated action repeats only that one.
 * - After a lost or refused write, too, everything on screen is read again: what it shows may have caused the refusal,
 *   and a write whose answer was lost may have changed it.
 */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  /** The keys of the writes whose answers were lost; undefined for operations that need none. */
  const lost = useRef(new Map<string, string | undefined>());
  /** The write that was carried out last. */
  const previous = useRef<string>(undefined);
  /** At once, unlike `busy`: a key that is held submits again before the screen is drawn. */
  const running = useRef(false);

  /** Makes a call, with its key if it is the repeat of a lost one. @throws SvcError */
  async function once<T>(made: string, make: (key?: string) => Promise<Envelope<T>>): Promise<Envelope<T>> {
    try {
      const envelope = await make(lost.current.get(made));
      lost.current.delete(made);
      previous.current = made;
      return envelope;
    } catch (error) {
      if (isSvcError(error) && isRetryable(error)) lost.current.set(made, error.idempotencyKey);
      else lost.current.delete(made);
      throw error;
    }
  }

  async function attempt<T>(
    name: string,
    said: string | undefined,
    make: () => Promise<Envelope<T>>,
    /** Awaited after the call. Until it is done, the screen shows the state before the call. */
    settle?: () => Promise<void>,
  ) {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      const envelope = await make();
      if (said !== undefined) toast(said, envelope.activityId);
      followWork(name, rowAt({ result: envelope.result }, 'result'));
      await settle?.();
      return envelope;
    } catch (error) {
      setProblem(error);
      void refreshAfter(name);
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
    async send(name, given, { said, key } = {}) {
      const envelope = await attempt(name, said, async () => {
        const input = await inputOf(given);
        return once(textOf(name, input), (idempotencyKey) => call(name, input, { key, idempotencyKey }));
      });
      // Not awaited: a new secret is shown at once, and a screen whose thing is gone is left first.
      if (envelope) setTimeout(() => refreshAfter(name));
      return envelope;
    },
    async run(name, given, said, written) {
      const make = async () => {
        const input = await inputOf(given);
        const envelope = await once(textOf(name, input), (idempotencyKey) => call(name, input, { idempotencyKey }));
        written?.();
        return envelope;
      };
      return (await attempt(name, said, make, () => refreshAfter(name)))?.result;
    },
    async runBoth([firstName, firstInput], [name, input], said) {
      const first = textOf(firstName, firstInput);
      const second = textOf(name, input);
      const make = async () => {
        if (previous.current !== first || !lost.current.has(second))
          await once(first, (idempotencyKey) => call(firstName, firstInput, { idempotencyKey }));
        return once(second, (idempotencyKey) => call(name, input, { idempotencyKey }));
      };
      return (await attempt(name, said, make, () => refreshAfter(name)))?.result;
    },
  };
}

const textOf = (name: string, input: object): string => JSON.stringify([name, input]);

const inputOf = async <T extends object>(given: Input<T>): Promise<T> =>
  typeof given === 'function' ? given() : given;

/** After a write everything on screen is read again. */
const refreshAfter = async (name: string): Promise<void> => {
  if (operationNamed(name)?.read !== true) await refreshAll();
};
