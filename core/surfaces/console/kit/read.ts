import { keepPreviousData, QueryClient, QueryObserver, type QueryObserverResult } from '@tanstack/query-core';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { InputOf, ResultOf } from '../../sdk/client.js';
import { isSvcError } from '../../sdk/errors.js';
import type { OperationName } from '../../sdk/operations.gen.js';
import { call, tabKey } from './client.js';
import { isFinal, repeatAfter } from './reach.js';
import { acting, type Row } from './state.js';
import { rowsAt, textAt } from './value.js';

/*
 * Reads of screens, by query-core: cached for a moment, shared by the parts of a screen, repeated when the window gets
 * focus, and until the server can be reached. Its Preact binding supports Preact 10 only, hence this one.
 */

const freshMs = 5_000;
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: freshMs, networkMode: 'always' } },
});
queries.mount();

export interface ReadOptions<R> {
  /** False while the input is not known yet. */
  readonly enabled?: boolean;
  /**
   * Repeats the read while the tab is visible, until the server refuses it for good, for example because the session
   * has ended. A function of the last result returns undefined if the result is final. Define it outside the component.
   */
  readonly pollMs?: number | undefined | ((data: R) => number | undefined);
}

/** The state of a read. While a new input loads, `data` is that of the last one, so that the screen does not jump. */
export interface Read<R> {
  readonly data: R | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  readonly again: () => void;
}

/** Reads with an operation, in the environment on screen. */
export function useRead<N extends OperationName>(
  name: N,
  input: InputOf<N>,
  options?: ReadOptions<ResultOf<N>>,
): Read<ResultOf<N>>;
export function useRead(name: string, input: Row, options?: ReadOptions<Row>): Read<Row>;
export function useRead(name: string, input: object, options?: ReadOptions<Row>): Read<unknown> {
  return useQuery([name, input], async () => (await call(name, { ...input })).result, options);
}

/** How many reads of `useReadEach` run at the same time. */
const atOnce = 4;

/**
 * Reads with an operation once for each input, a few at a time: for what no operation lists.
 * @returns the results in the order of the inputs; undefined for what does not exist any longer
 */
export function useReadEach<N extends OperationName>(
  name: N,
  inputs: readonly InputOf<N>[],
): Read<readonly (ResultOf<N> | undefined)[]>;
export function useReadEach(name: OperationName, inputs: readonly object[]): Read<unknown> {
  return useQuery([name, 'each', inputs], async () => {
    const found: unknown[] = [];
    const left = [...inputs.entries()];
    const readOn = async (): Promise<void> => {
      for (let next = left.shift(); next; next = left.shift()) found[next[0]] = await readIfThere(name, next[1]);
    };
    await Promise.all(Array.from({ length: atOnce }, readOn));
    return found;
  });
}

/** Like `readOnce`. @returns undefined for what does not exist */
const readIfThere = (name: string, input: object): Promise<unknown> =>
  readOnce(name, { ...input }).catch((error: unknown) => {
    if (isSvcError(error) && error.code === 'not_found') return undefined;
    throw error;
  });

/**
 * Whether the read was refused because the session has ended, or had ended before the sign-in in another tab. The frame
 * leads to a sign-in.
 */
const isSignedOut = (error: unknown): boolean => isSvcError(error) && error.status === 401 && tabKey() === undefined;

/** @param parts what is read, with its input: reads with the same parts are shared */
function useQuery<R>(
  parts: readonly unknown[],
  read: () => Promise<R>,
  { enabled = true, pollMs }: ReadOptions<R> = {},
): Read<R> {
  const environmentId = acting.value?.environmentId;
  const key = JSON.stringify([environmentId, ...parts]);
  const options = useMemo(
    () => ({
      queryKey: [environmentId, parts[0], key],
      queryFn: read,
      enabled,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }: { state: { data: R | undefined; error: unknown } }): number | false => {
        if (isFinal(state.error)) return false;
        const ms = typeof pollMs !== 'function' ? pollMs : state.data === undefined ? undefined : pollMs(state.data);
        return repeatAfter(state.error) ?? ms ?? false;
      },
    }),
    [key, enabled, pollMs],
  );
  const observer = useMemo(() => new QueryObserver(queries, options), []);
  const [, show] = useState<QueryObserverResult<R, unknown>>();
  useEffect(() => observer.subscribe(show), [observer]);
  useEffect(() => observer.setOptions(options), [observer, options]);
  const { data, error, isFetching, status, isPlaceholderData } = observer.getOptimisticResult(
    queries.defaultQueryOptions(options),
  );
  // query-core forgets the error when it reads again. It stays on screen until the server has answered.
  const lost = useRef<{ readonly key: string; readonly error: unknown }>(undefined);
  const isFirst = status === 'pending' || isPlaceholderData;
  if (!isFirst) lost.current = repeatAfter(error) === undefined ? undefined : { key, error };
  const repeated = isFirst && lost.current?.key === key ? lost.current : undefined;
  return {
    data: repeated ? undefined : data,
    // A repeat that fails for the moment, or until the next sign-in, keeps what is on screen, and what somebody is
    // typing there. The next one tries again. Data that was deleted or forbidden in the meantime is no longer shown.
    error: repeated ? repeated.error : data === undefined || (isFinal(error) && !isSignedOut(error)) ? error : null,
    loading: enabled && !repeated && (data === undefined || isPlaceholderData) && isFetching,
    again() {
      lost.current = undefined;
      void observer.refetch();
    },
  };
}

/** Reads outside a component, from the same cache. @throws SvcError */
export function readOnce<N extends OperationName>(name: N, input: InputOf<N>): Promise<ResultOf<N>>;
export function readOnce(name: string, input: Row): Promise<Row>;
export function readOnce(name: string, input: object): Promise<unknown> {
  const environmentId = acting.value?.environmentId;
  return queries.query({
    queryKey: [environmentId, name, JSON.stringify([environmentId, name, input])],
    queryFn: async (): Promise<Row> => (await call(name, { ...input })).result,
  });
}

/** How many rows the search by name knows of each list. */
const mostNames = 1_000;
const namesFreshMs = 60_000;

/**
 * Reads the newest rows of a list, whose names are then searched without asking the server again. A write of this
 * browser has them read again, as everything else.
 * @param field the field of the reply that holds the rows
 * @throws SvcError
 */
export function readNames(name: string, input: Row, field: string): Promise<readonly Row[]> {
  const environmentId = acting.value?.environmentId;
  return queries.query({
    queryKey: [environmentId, name, 'names', JSON.stringify(input)],
    staleTime: namesFreshMs,
    queryFn: async (): Promise<readonly Row[]> => {
      const rows: Row[] = [];
      const page: { before: Row } = { before: {} };
      do {
        const { result } = await call(name, { ...input, limit: 100, ...page.before });
        rows.push(...rowsAt(result, field));
        const next = textAt(result, 'nextBefore');
        if (next === '') break;
        page.before = { before: next };
      } while (rows.length < mostNames);
      return rows;
    },
  });
}

/** After a write: everything that is on screen is read again. */
export const refreshAll = (): Promise<void> => queries.invalidateQueries();

/** Forgets everything, when the environment changes. */
export const forgetAll = (): void => queries.clear();
