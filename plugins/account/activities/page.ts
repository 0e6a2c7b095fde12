import type { Environment, TenantCaller } from '#core/kernel/caller/caller.js';
import { activityColumns, type ActivityRow } from '#core/kernel/audit/resource.js';
import { filterTime } from '#core/kernel/schema/filter-time.js';
import { idRange } from '#core/kernel/schema/id-range.js';
import { beforeId } from '#core/kernel/schema/paging.js';
import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';

export interface ActivityFilter {
  before?: string | undefined;
  operation?: string | undefined;
  actorId?: string | undefined;
  subjectId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

type Condition = readonly [sql: string, ...values: SqlValue[]];

/**
 * Whether the caller reads the account-wide audit records of the account's other environments too. Keys of test environments do not: the
 * records of live say who administers the account, from which IP address, and what they changed.
 */
export const readsWholeAccount = ({ kind, environment }: Pick<TenantCaller, 'kind' | 'environment'>): boolean =>
  kind !== 'key' || environment.kind === 'live';

/**
 * The newest `limit` audit records visible to a caller: its environment's own, and the account-wide ones of the account's other
 * environments if it may read those.
 * Each of the two is a backward scan of one index range, which stops at its LIMIT. A single query with OR, or an index chosen by the
 * optimiser for the ORDER BY, would scan a log of millions.
 * @param now the deployment's present time, to limit ids by time
 */
export async function activityPage(
  db: Session,
  caller: { kind: TenantCaller['kind']; environment: Environment },
  filter: ActivityFilter,
  limit: number,
  now: Date,
): Promise<ActivityRow[]> {
  const { environment } = caller;
  const shared = conditionsOf(filter, now);
  const own = branch('environment', [['a.environment_id = ?', idBytes(environment.id)], ...shared], limit);
  const accountWide = branch(
    'account',
    [
      ['a.account_id = ?', idBytes(environment.accountId)],
      ['a.account_wide = 1'],
      ['a.environment_id <> ?', idBytes(environment.id)],
      ...shared,
    ],
    limit,
  );
  const newest = readsWholeAccount(caller)
    ? {
        sql: `(${own.sql} UNION ALL ${accountWide.sql} ORDER BY id DESC LIMIT ?)`,
        values: [...own.values, ...accountWide.values, limit],
      }
    : own;
  return db.rows<ActivityRow>(
    `SELECT ${activityColumns}
     FROM ${newest.sql} page JOIN svc_activity a ON a.id = page.id
     ORDER BY page.id DESC`,
    newest.values,
  );
}

function branch(index: string, conditions: readonly Condition[], limit: number): { sql: string; values: SqlValue[] } {
  const where = conditions.map(([sql]) => sql).join(' AND ');
  return {
    sql: `(SELECT a.id FROM svc_activity a FORCE INDEX (\`${index}\`) WHERE ${where} ORDER BY a.id DESC LIMIT ?)`,
    values: [...conditions.flatMap(([, ...values]) => values), limit],
  };
}

function conditionsOf(filter: ActivityFilter, now: Date): Condition[] {
  const { before, operation, actorId, subjectId } = filter;
  const since = filterTime(filter.since);
  const until = filterTime(filter.until);
  const ids = idRange(since, until, now);
  const conditions: (Condition | undefined)[] = [
    before === undefined ? undefined : ['a.id < ?', beforeId(before)],
    ids.from && ['a.id >= ?', ids.from],
    ids.to && ['a.id <= ?', ids.to],
    operation === undefined ? undefined : ['a.operation = ?', Buffer.from(operation)],
    actorId === undefined ? undefined : ['a.actor_id = ?', Buffer.from(actorId)],
    subjectId === undefined ? undefined : ['a.subject_id = ?', Buffer.from(subjectId)],
    since && ['a.created_at >= ?', since],
    until && ['a.created_at < ?', until],
  ];
  return conditions.filter((each) => each !== undefined);
}
