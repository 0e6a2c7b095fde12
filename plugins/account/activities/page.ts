import type { Environment, TenantCaller } from '#core/kernel/caller/caller.js';
import { activityColumns, type ActivityRow } from '#core/kernel/audit/resource.js';
import { filterTime } from '#core/kernel/schema/filter-time.js';
import { idRange } from '#core/kernel/schema/id-range.js';
import { beforeId } from '#core/kernel/schema/paging.js';
import { walk } from '#core/kernel/schema/validation/walk.js';
import type { Session } from '#core/runtime/database/session.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { Retention } from '#core/kernel/environment/retention.js';

/** The rows of a retention, as replies name it. */
export const activitiesKept = { variable: 'SVC_AUDIT_RETENTION_DAYS', rows: 'audit records written' } as const;

/** How long audit records are kept (core/platform/housekeeping.ts deletes them). */
export const activityRetentionOf = ({ settings }: Pick<Deployment, 'settings'>): Retention => ({
  ...activitiesKept,
  days: settings.auditRetentionDays,
});

export interface ActivityFilter {
  before?: string | undefined;
  operation?: string | undefined;
  actorId?: string | undefined;
  subjectId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

type Condition = readonly [sql: string, ...values: SqlValue[]];

const sqlOf = (conditions: readonly Condition[]): string => conditions.map(([sql]) => sql).join(' AND ');
const valuesOf = (conditions: readonly Condition[]): SqlValue[] => conditions.flatMap(([, ...values]) => values);

/**
 * Whether the caller also reads the account-wide audit records of the account's other environments. Keys of test
 * environments do not: the live records show who administers the account, from which IP address, and what they changed.
 */
export const readsWholeAccount = ({ kind, environment }: Pick<TenantCaller, 'kind' | 'environment'>): boolean =>
  kind !== 'key' || environment.kind === 'live';

/**
 * The newest `limit` audit records visible to a caller: those of its environment, and the account-wide records of
 * the account's other environments if it may read them. Each of the two is a backward scan of one index range that
 * stops at its LIMIT. A single query with OR, or an index chosen by the optimiser for the ORDER BY, would scan a log of
 * millions of rows. A filter that no index serves is applied to at most 20,000 records of each.
 * @param now the deployment's current time, to limit ids by time
 * @returns the records, and the id of the last record that was examined if there may be more although fewer than
 *   `limit` were found
 */
export async function activityPage(
  db: Session,
  { kind, environment }: { kind: TenantCaller['kind']; environment: Environment },
  { before, operation, actorId, subjectId, ...times }: ActivityFilter,
  limit: number,
  now: Date,
): Promise<{ rows: ActivityRow[]; stoppedAt: Buffer | undefined }> {
  const [since, until] = [filterTime(times.since), filterTime(times.until)];
  const ids = idRange(since, until, now);
  const range: Condition[] = [
    ...(ids.from ? [['a.id >= ?', ids.from] satisfies Condition] : []),
    ...(ids.to ? [['a.id <= ?', ids.to] satisfies Condition] : []),
  ];
  const ofSubject: Condition[] = subjectId === undefined ? [] : [['a.subject_id = ?', Buffer.from(subjectId)]];
  const filter: Condition[] = [
    ...(operation === undefined ? [] : [['a.operation = ?', Buffer.from(operation)] satisfies Condition]),
    ...(actorId === undefined ? [] : [['a.actor_id = ?', Buffer.from(actorId)] satisfies Condition]),
    ...(since ? [['a.created_at >= ?', since] satisfies Condition] : []),
    ...(until ? [['a.created_at < ?', until] satisfies Condition] : []),
  ];
  const own: Branch = {
    index: subjectId === undefined ? 'environment' : 'subject',
    along: [['a.environment_id = ?', idBytes(environment.id)], ...ofSubject, ...range],
    filter,
  };
  const accountWide: Branch = {
    index: 'account',
    along: [['a.account_id = ?', idBytes(environment.accountId)], ['a.account_wide = 1'], ...range],
    filter: [['a.environment_id <> ?', idBytes(environment.id)], ...ofSubject, ...filter],
  };
  const branches = readsWholeAccount({ kind, environment }) ? [own, accountWide] : [own];
  const read = (after: Buffer | undefined, to: Buffer | undefined, count: number): Promise<ActivityRow[]> => {
    const part: Condition[] = [...below(after), ...(to ? [['a.id >= ?', to] satisfies Condition] : [])];
    const selects = branches.map(({ index, along, filter: conditions }) => {
      const all = [...along, ...part, ...conditions];
      return {
        sql: `(SELECT a.id FROM svc_activity a FORCE INDEX (\`${index}\`) WHERE ${sqlOf(all)} ORDER BY a.id DESC LIMIT ?)`,
        values: [...valuesOf(all), count],
      };
    });
    return db.rows<ActivityRow>(
      `SELECT ${activityColumns}
       FROM (${selects.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY id DESC LIMIT ?) page JOIN svc_activity a ON a.id = page.id
       ORDER BY page.id DESC`,
      [...selects.flatMap(({ values }) => values), count],
    );
  };
  const from = before === undefined ? undefined : beforeId(before);
  return walk<ActivityRow, Buffer>(
    { keyAfter: (after, count) => keyAfter(db, branches, after, count), read },
    from,
    limit,
  );
}

/** A range of an index, and the conditions to check on its records. */
interface Branch {
  readonly index: 'environment' | 'account' | 'subject';
  readonly along: readonly Condition[];
  readonly filter: readonly Condition[];
}

const below = (id: Buffer | undefined): Condition[] => (id ? [['a.id < ?', id]] : []);

/** The newer of the ids that are `count` records further along each branch, so that no branch is read past it. */
async function keyAfter(
  db: Session,
  branches: readonly Branch[],
  after: Buffer | undefined,
  count: number,
): Promise<Buffer | undefined> {
  const found = await Promise.all(
    branches.map(({ index, along }) => {
      const conditions = [...along, ...below(after)];
      return db.rows<{ id: Buffer }>(
        `SELECT a.id FROM svc_activity a FORCE INDEX (\`${index}\`) WHERE ${sqlOf(conditions)} ORDER BY a.id DESC LIMIT 1 OFFSET ?`,
        [...valuesOf(conditions), count - 1],
      );
    }),
  );
  return found.flatMap(([row]) => (row ? [row.id] : [])).sort((a, b) => b.compare(a))[0];
}
