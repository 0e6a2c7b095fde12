import {
  choiceColumn,
  flagColumn,
  idColumn,
  nullable,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import type { Environment } from '../caller/caller.js';

/** Owned by the kernel. Products may join to it, and change it only through these functions. */
export const environments = defineTable('svc_environment', {
  id: idColumn(),
  projectId: uuidColumn(),
  accountId: uuidColumn(),
  kind: choiceColumn(['live', 'test'], 4),
  closedAt: nullable(timeColumn()),
  /** The closure before the last reopening. */
  lastClosedAt: nullable(timeColumn()),
  reopenedAt: nullable(timeColumn()),
  /** When its project was archived. It is then also closed. */
  archivedAt: nullable(timeColumn()),
  operator: flagColumn(),
  createdAt: timeColumn(),
});

export type EnvironmentRow = RowOf<typeof environments>;

const environmentOf = (row: EnvironmentRow): Environment => ({
  id: row.id,
  projectId: row.projectId,
  accountId: row.accountId,
  kind: row.kind,
  closedAt: row.closedAt,
  archivedAt: row.archivedAt,
  operator: row.operator,
});

/** Creates the live and the test environment of a new project. */
export async function createEnvironments(
  db: Session,
  project: { id: string; accountId: string; operator: boolean },
  at: Date,
): Promise<{ live: Environment; test: Environment }> {
  const row = (kind: 'live' | 'test'): EnvironmentRow => ({
    id: newId(),
    projectId: project.id,
    accountId: project.accountId,
    kind,
    closedAt: null,
    lastClosedAt: null,
    reopenedAt: null,
    archivedAt: null,
    operator: project.operator,
    createdAt: at,
  });
  const live = row('live');
  const test = row('test');
  await db.insert(environments, [live, test]);
  return { live: environmentOf(live), test: environmentOf(test) };
}

/**
 * Locks the environment's row until the transaction ends, for rules over several rows (the last key, a count of keys).
 */
export async function lockEnvironment(db: Session, environmentId: string): Promise<void> {
  await db.rows('SELECT id FROM svc_environment WHERE id = ? FOR UPDATE', [idBytes(environmentId)]);
}

/** Locks every environment of an account, for rules over all of its keys. */
export async function lockEnvironments(db: Session, accountId: string): Promise<void> {
  await db.rows('SELECT id FROM svc_environment WHERE account_id = ? ORDER BY id FOR UPDATE', [idBytes(accountId)]);
}

/**
 * Closes the account's environments: from the commit on, the queues of messages and imports skip them. Webhook
 * deliveries continue, so the customer's systems learn of the closure itself and of opt-outs. Environments of archived
 * projects are closed already.
 */
export async function closeEnvironments(db: Session, accountId: string, at: Date): Promise<void> {
  await db.run('UPDATE svc_environment SET closed_at = ? WHERE account_id = ? AND closed_at IS NULL', [
    at,
    idBytes(accountId),
  ]);
}

/**
 * Keeps the time of the closure, because messages that it held for a day or more are cancelled, not sent. Environments
 * of archived projects stay closed.
 */
export async function reopenEnvironments(db: Session, accountId: string, at: Date): Promise<void> {
  await db.run(
    'UPDATE svc_environment SET last_closed_at = closed_at, closed_at = NULL, reopened_at = ? WHERE account_id = ? AND closed_at IS NOT NULL AND archived_at IS NULL',
    [at, idBytes(accountId)],
  );
}

/** Archives a project's environments: its keys are refused, and its work stops as in a closed account. */
export async function archiveEnvironments(db: Session, projectId: string, at: Date): Promise<void> {
  await db.run(
    'UPDATE svc_environment SET archived_at = ?, closed_at = COALESCE(closed_at, ?) WHERE project_id = ? AND archived_at IS NULL',
    [at, at, idBytes(projectId)],
  );
}

/** @param isClosed the account is closed: the environments stay closed until it is reopened */
export async function unarchiveEnvironments(
  db: Session,
  projectId: string,
  { isClosed, at }: { isClosed: boolean; at: Date },
): Promise<void> {
  const reopened = isClosed ? '' : ', last_closed_at = closed_at, closed_at = NULL, reopened_at = ?';
  await db.run(
    `UPDATE svc_environment SET archived_at = NULL${reopened} WHERE project_id = ? AND archived_at IS NOT NULL`,
    [...(isClosed ? [] : [at]), idBytes(projectId)],
  );
}

/** The environments of the given projects, oldest first. */
export async function environmentsOf(db: Session, projectIds: readonly string[]): Promise<EnvironmentRow[]> {
  if (projectIds.length === 0) return [];
  return db
    .select(environments, 'environment')
    .where('environment.project_id IN (:...ids)', { ids: projectIds.map(idBytes) })
    .orderBy('environment.id')
    .getMany();
}

/** SQL that excludes environments of closed accounts and archived projects, for queues of messages and imports. */
export const closedEnvironments = 'SELECT id FROM svc_environment WHERE closed_at IS NOT NULL';

/** One environment by id. */
export async function findEnvironment(db: Pick<Session, 'findOne'>, id: string): Promise<Environment | null> {
  const row = await db.findOne(environments, { id });
  return row && environmentOf(row);
}

/**
 * The account's live environments: where workers and public calls write account-level events. Those of archived
 * projects are last, so that the first one can send the account's mail.
 */
export async function liveEnvironments(db: ReadSession, accountId: string): Promise<Environment[]> {
  const rows = await db.find(environments, { accountId, kind: 'live' });
  return rows
    .sort((a, b) => Number(a.archivedAt !== null) - Number(b.archivedAt !== null) || (a.id < b.id ? -1 : 1))
    .map(environmentOf);
}

/** A row of a join that selected `environmentColumns`. */
export interface EnvironmentColumns {
  environment_id: Buffer;
  project_id: Buffer;
  account_id: Buffer;
  environment_kind: Buffer;
  closed_at: Date | null;
  archived_at: Date | null;
  operator: number;
}

/** The columns to select from `svc_environment e` for `environmentFrom`. */
export const environmentColumns =
  'e.id AS environment_id, e.project_id, e.account_id, e.kind AS environment_kind, e.closed_at, e.archived_at, e.operator';

/** The environment in a row of a join. */
export const environmentFrom = (row: EnvironmentColumns): Environment => ({
  id: idText(row.environment_id),
  projectId: idText(row.project_id),
  accountId: idText(row.account_id),
  kind: row.environment_kind.toString() === 'live' ? 'live' : 'test',
  closedAt: row.closed_at,
  archivedAt: row.archived_at,
  operator: row.operator === 1,
});
