import { keepPreviousData, QueryClient, QueryObserver, type QueryObserverResult } from '@tanstack/query-core';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { InputOf, ResultOf } from '../../sdk/client.js';
import { isSvcError } from '../../sdk/errors.js';
import { isRetryable } from '../../sdk/retry.js';
import type { OperationName } from '../../sdk/operations.gen.js';
import { call } from './client.js';
import { acting, type Row } from './state.js';

/*
 * Reads of screens, by query-core: cached for a moment, shared by the parts of a screen, repeated when the window gets
 * focus. Its Preact binding supports Preact 10 only, hence this one.
 */

const freshMs = 5_000;
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: freshMs, networkMode: 'always' } },
});
queries.mount();

export interface ReadOptions {
  /** False while the input is not known yet. */
  readonly enabled?: boolean;
  /** Repeats the read while the tab is visible. */
  readonly pollMs?: number | undefined;
}

/** The state of a read. While a new input loads, `data` is that of the last one, so that the screen does not jump. */
export interface Read<R> {
  readonly data: R | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  readonly again: () => void;
}

/** Reads with an operation, in the environment on screen. */
export function useRead<N extends OperationName>(name: N, input: InputOf<N>, options?: ReadOptions): Read<ResultOf<N>>;
export function useRead(name: string, input: Row, options?: ReadOptions): Read<Row>;
export function useRead(name: string, input: object, { enabled = true, pollMs }: ReadOptions = {}): Read<unknown> {
  const environmentId = acting.value?.environmentId;
  const key = JSON.stringify([environmentId, name, input]);
  const options = useMemo(
    () => ({
      queryKey: [environmentId, name, key],
      queryFn: async (): Promise<Row> => (await call(name, { ...input })).result,
      enabled,
      placeholderData: keepPreviousData,
      refetchInterval: pollMs ?? (false as const),
    }),
    [key, enabled, pollMs],
  );
  const observer = useMemo(() => new QueryObserver(queries, options), []);
  const [, show] = useState<QueryObserverResult<Row>>();
  useEffect(() => observer.subscribe(show), [observer]);
  useEffect(() => observer.setOptions(options), [observer, options]);
  const { data, error, isFetching, isPlaceholderData } = observer.getOptimisticResult(
    queries.defaultQueryOptions(options),
  );
  return {
    data,
    // A repeat that fails for the moment keeps what is on screen, and what somebody is typing there. The next one tries
    // again. What is deleted or forbidden since is not shown any longer.
    error: data === undefined || (isSvcError(error) && !isRetryable(error) && error.status < 500) ? error : null,
    loading: enabled && (data === undefined || isPlaceholderData) && isFetching,
    again: () => void observer.refetch(),
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

/** After a write: everything that is on screen is read again. */
export const refreshAll = (): Promise<void> => queries.invalidateQueries();

/** Forgets everything, when the environment changes. */
export const forgetAll = (): void => queries.clear();
