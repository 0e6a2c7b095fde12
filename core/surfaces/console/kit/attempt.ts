import { useEffect, useMemo, useState } from 'preact/hooks';
import { isSvcError } from '../../sdk/errors.js';
import { isFinal, repeatAfter } from './reach.js';
import type { Read } from './read.js';

interface Known<T> {
  /** What it is about. */
  readonly of: object;
  readonly data?: T;
  readonly error?: unknown;
}

/**
 * Makes something that needs the server but not an operation: the start, a part of the app. While the server cannot be
 * reached, it tries again by itself; after every other failure, when the person presses “Try again” or comes back to
 * the tab. What failed stays on screen until the next try has ended.
 * @param make is told whether its result is still wanted
 * @param about if one of these values changes, everything begins again
 * @param failureOf the failure of a part of the result, which is then made again
 */
export function useAttempt<T>(
  make: (isWanted: () => boolean) => Promise<T>,
  about: readonly unknown[],
  failureOf: (data: T) => unknown = () => undefined,
): Read<T> {
  const of = useMemo(() => ({}), [...about]);
  const [known, know] = useState<Known<T>>({ of });
  const [times, repeat] = useState(0);
  const { data, error }: Omit<Known<T>, 'of'> = known.of === of ? known : {};

  useEffect(() => {
    const run: { isWanted: boolean; timer?: ReturnType<typeof setTimeout> } = { isWanted: true };
    const end = (next: Omit<Known<T>, 'of'>): void => {
      if (!run.isWanted) return;
      know((last) => ({ ...(last.of === of ? last : {}), error: undefined, ...next, of }));
      const ms = repeatAfter(next.error);
      if (ms !== undefined) run.timer = setTimeout(() => repeat((count) => count + 1), ms);
    };
    void make(() => run.isWanted).then(
      (made) => end({ data: made, error: failureOf(made) }),
      (failure: unknown) => end({ error: failure }),
    );
    return () => {
      run.isWanted = false;
      clearTimeout(run.timer);
    };
  }, [of, times]);

  useEffect(() => {
    if (error === undefined) return;
    const onChange = (): void => {
      if (document.visibilityState === 'visible') repeat((count) => count + 1);
    };
    addEventListener('visibilitychange', onChange);
    return () => removeEventListener('visibilitychange', onChange);
  }, [error]);

  return {
    data,
    error,
    loading: data === undefined && error === undefined,
    again() {
      know({ of, ...(data === undefined ? {} : { data }) });
      repeat((count) => count + 1);
    },
  };
}

/** How one of several reads ended. One that the person may not make is left out; one that failed is a failure. */
export type Outcome<T> =
  | { readonly state: 'found'; readonly value: T }
  | { readonly state: 'refused' }
  | { readonly state: 'failed'; readonly error: unknown };

/** Makes reads at the same time. @returns their outcomes, in their order */
export const outcomesOf = <T>(reads: readonly (() => Promise<T>)[]): Promise<Outcome<T>[]> =>
  Promise.all(
    reads.map((read) =>
      read().then(
        (value): Outcome<T> => ({ state: 'found', value }),
        (error: unknown): Outcome<T> =>
          isFinal(error) && !(isSvcError(error) && error.status === 401)
            ? { state: 'refused' }
            : { state: 'failed', error },
      ),
    ),
  );

/** What was found. */
export const foundIn = <T>(outcomes: readonly Outcome<T>[]): T[] =>
  outcomes.flatMap((outcome) => (outcome.state === 'found' ? [outcome.value] : []));

/** The first failure; undefined if there is none. */
export const failureIn = (outcomes: readonly Outcome<unknown>[]): unknown =>
  outcomes.flatMap((outcome) => (outcome.state === 'failed' ? [outcome.error] : []))[0];
