import { erasureBatch, type ErasureContext, type ErasureStep, type RequestedErasure } from '#core/kernel/person.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { leasedIds } from '#core/runtime/work/queue.js';
import { endRuns } from './cancel.js';
import { runQueue } from './queues.js';

/**
 * Erases a person from automations: their open runs end, and no run keeps the event that started it. Runs that a worker
 * has leased are left for a later step. The history of a run contains only steps, reasons and variables.
 */
export async function eraseRuns(
  { personId, environment }: RequestedErasure,
  { db, clock, redactAbout }: ErasureContext,
): Promise<ErasureStep> {
  const person = idBytes(personId);
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT id FROM email_automation_run WHERE contact_id = ? AND environment_id = ? AND (status = 'waiting' OR context <> '{}')
     UNION SELECT id FROM email_automation_run WHERE person_id = ? AND environment_id = ? LIMIT ?`,
    [person, idBytes(environment.id), person, idBytes(environment.id), erasureBatch],
  );
  const ids = rows.map(({ id }) => idText(id));
  const leased = await leasedIds(db, runQueue, ids);
  const free = ids.filter((id) => !leased.has(id));
  if (free.length > 0) {
    const own = await db.rows<{ id: Buffer }>(
      'SELECT id FROM email_automation_run WHERE id IN (?) AND contact_id = ?',
      [free.map(idBytes), person],
    );
    await endRuns(
      db,
      own.map(({ id }) => idText(id)),
      { endReason: 'contact_erased', at: clock.now() },
    );
    await db.run("UPDATE email_automation_run SET context = '{}', person_id = NULL WHERE id IN (?)", [
      free.map(idBytes),
    ]);
    await redactAbout({ type: 'run', ids: free });
  }
  const { affectedRows } = await db.run('DELETE FROM email_automation_enrolment WHERE contact_id = ? LIMIT ?', [
    person,
    erasureBatch,
  ]);
  return { done: free.length + affectedRows, stillInUse: leased.size > 0 };
}
