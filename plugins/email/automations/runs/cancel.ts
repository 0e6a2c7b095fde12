import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { runs, type RunRow } from '../../tables/automation.js';
import { automationsOf } from './find.js';
import { presentRun } from './status.js';

/** Ids of the open runs of a contact, except for runs of archived automations, which are cancelled already. */
export async function openRunsOf(db: Session, environmentId: string, contactId: string): Promise<string[]> {
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT r.id FROM email_automation_run r JOIN email_automation a ON a.id = r.automation_id
     WHERE r.contact_id = ? AND r.environment_id = ? AND r.status = 'waiting' AND a.status <> 'archived' ORDER BY r.id`,
    [idBytes(contactId), idBytes(environmentId)],
  );
  return rows.map(({ id }) => idText(id));
}

/**
 * Ends open runs. A step that a worker is committing is waited for; none is taken afterwards.
 * @param endReason why
 * @param status `cancelled`, or `waiting` for open runs
 * @returns the rows as they are now; runs that had already ended are left out
 */
export async function endRuns(
  db: Session,
  ids: readonly string[],
  { endReason, at }: { endReason: string; at: Date },
): Promise<RunRow[]> {
  if (ids.length === 0) return [];
  const keys = ids.map(idBytes);
  // The queue's row first, because workers lock it first: the holder of its lock decides the outcome of the run.
  await db.run('DELETE FROM email_automation_queue WHERE id IN (?)', [keys]);
  const open = await db.rows<object>(
    `SELECT ${runs.columnList()} FROM email_automation_run WHERE id IN (?) AND status = 'waiting' ORDER BY id FOR UPDATE`,
    [keys],
  );
  if (open.length === 0) return [];
  const ended = open
    .map((row) => runs.decode(row))
    .map((row): RunRow => ({ ...row, status: 'cancelled', nextAt: null, endedAt: at, endReason }));
  await db.run(
    "UPDATE email_automation_run SET status = 'cancelled', next_at = NULL, ended_at = ?, end_reason = ? WHERE id IN (?)",
    [at, Buffer.from(endReason), ended.map(({ id }) => idBytes(id))],
  );
  return ended;
}

/** Cancels open runs of an environment, with an event for each. @returns how many */
export async function cancelRuns(
  { db, clock, emit }: Context<'email.automation.cancelled'>,
  environment: Environment,
  ids: readonly string[],
): Promise<number> {
  const open = await db.rows<{ id: Buffer }>(
    `SELECT r.id FROM email_automation_run r JOIN email_automation a ON a.id = r.automation_id
     WHERE r.id IN (?) AND r.status = 'waiting' AND a.status <> 'archived'`,
    [ids.length === 0 ? [Buffer.alloc(16)] : ids.map(idBytes)],
  );
  const ended = await endRuns(
    db,
    open.map(({ id }) => idText(id)),
    { endReason: 'cancelled', at: clock.now() },
  );
  const found = await automationsOf(db, ended);
  for (const row of ended) {
    const automation = found.get(row.automationId);
    if (!automation) continue;
    const run = presentRun(row, { automation, isClosed: environment.closedAt !== null });
    emit('email.automation.cancelled', { subjectId: row.id, personId: row.contactId, data: { run } }, environment);
  }
  return ended.length;
}
