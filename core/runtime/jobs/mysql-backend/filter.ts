import type { JobsQueryOptions, RemoveJobsOptions } from 'agenda';
import type { SqlValue } from '../../database/statement.js';
import { storedId } from './row.js';
import { stateSql } from './job-state.js';

/** The condition of a WHERE clause, and its values. */
export interface Filter {
  sql: string;
  values: SqlValue[];
}

type Condition = readonly [sql: string, ...values: SqlValue[]];

const noRows: Condition = ['FALSE'];

function allOf(conditions: readonly Condition[]): Filter {
  return {
    sql: conditions.map(([sql]) => `(${sql})`).join(' AND ') || 'TRUE',
    values: conditions.flatMap(([, ...values]) => values),
  };
}

function byId(id: string | undefined, ids: readonly string[] | undefined): Condition[] {
  const wanted = id ? [id] : (ids ?? []);
  if (wanted.length === 0) return [];
  const stored = wanted.flatMap((each) => storedId(each) ?? []);
  return [stored.length > 0 ? ['id IN (?)', stored] : noRows];
}

function byName(
  name: string | undefined,
  names: readonly string[] | undefined,
  not: readonly string[] | undefined,
): Condition[] {
  if (name) return [['name = ?', name]];
  if (names && names.length > 0) return [['name IN (?)', names]];
  return not && not.length > 0 ? [['name NOT IN (?)', not]] : [];
}

/** Jobs whose data contains `data`: objects may have more fields, at any depth. An empty object matches every job. */
function byData(data: unknown): Condition[] {
  if (data === undefined) return [];
  if (data === null) return [['data IS NULL']];
  const isEmpty = typeof data === 'object' && !Array.isArray(data) && Object.keys(data).length === 0;
  return isEmpty ? [] : [['JSON_CONTAINS(data, ?)', JSON.stringify(data)]];
}

/** The jobs to remove, disable or enable; undefined if the options select nothing, which never means all jobs. */
export function selectedJobs({ id, ids, name, names, notNames, data }: RemoveJobsOptions): Filter | undefined {
  const conditions = [...byId(id, ids), ...byName(name, names, notNames), ...byData(data)];
  return conditions.length > 0 ? allOf(conditions) : undefined;
}

/** The jobs that a query selects; all without options. */
export function queriedJobs(options: JobsQueryOptions, now: Date): Filter {
  const { id, ids, name, names, search, data, state, includeDisabled = true } = options;
  const conditions = [...byId(id, ids), ...byName(name, names, undefined), ...byData(data)];
  if (search) conditions.push(['INSTR(LOWER(CONVERT(name USING utf8mb4)), LOWER(?)) > 0', search]);
  if (!includeDisabled) conditions.push(['disabled = 0']);
  if (state === 'paused') conditions.push(['disabled = 1']);
  else if (state) conditions.push([`${stateSql} = ?`, now, now, state]);
  return allOf(conditions);
}
