import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { ErasedPerson, Subjects } from '../person.js';

/** Replaces the data of an erased person's events. */
export const erasedData = JSON.stringify({ erased: true });

/**
 * Erases the stored responses of some calls. The emptied rows are kept, so that a repeat with the same key is refused
 * and not executed (see idempotency/store.ts). The audit record's id is removed, so that each response is erased once
 * and a `finish` that is still running stores nothing.
 */
export async function redactAnswers(db: Session, activityIds: readonly Buffer[]): Promise<void> {
  if (activityIds.length === 0) return;
  await db.run(
    `UPDATE svc_idempotency SET answer = '', sealed = 0, lease_until = NULL, activity_id = NULL WHERE activity_id IN (?)`,
    [activityIds],
  );
}

/**
 * SQL: whether the person that an audit record is about made the call. Publishable keys are in browsers and apps; a
 * secret key calls from the customer's server.
 */
export const isTheirCall = "(actor_kind IN ('public', 'user') OR publishable = 1)";

/** Redacts the data stored about some things (see ErasureContext.redactAbout). */
export async function redactAbout(db: Session, person: ErasedPerson, { type, ids }: Subjects): Promise<void> {
  if (ids.length === 0) return;
  const about = [idBytes(person.environment.id), ids.map((id) => Buffer.from(id)), Buffer.from(type)];
  const where = 'FORCE INDEX (subject) WHERE environment_id = ? AND subject_id IN (?) AND subject_type = ?';
  const events = await db.rows<{ id: Buffer; activity_id: Buffer | null }>(
    `SELECT id, activity_id FROM svc_event ${where}`,
    about,
  );
  if (events.length > 0) {
    await db.run('UPDATE svc_event SET data = ?, person_id = ? WHERE id IN (?)', [
      erasedData,
      idBytes(person.personId),
      events.map(({ id }) => id),
    ]);
  }
  await redactAnswers(db, activitiesOf(events));
  // A call that changed nothing wrote no event, but its stored response contains the thing.
  const activities = await db.rows<{ id: Buffer }>(`SELECT id FROM svc_activity ${where}`, about);
  if (activities.length === 0) return;
  const records = activities.map(({ id }) => id);
  await redactAnswers(db, records);
  // Audit records of things that are identified only by an address have no person. They name no address, but a public
  // call came from the person.
  await db.run(
    `UPDATE svc_activity SET ip = '', user_agent = NULL
     WHERE id IN (?) AND person_id IS NULL AND ${isTheirCall} AND ip <> ''`,
    [records],
  );
}

/** The audit records that some events belong to, each listed once; workers' events have none. */
export const activitiesOf = (rows: readonly { activity_id: Buffer | null }[]): Buffer[] => [
  ...new Map(rows.flatMap(({ activity_id: id }) => (id ? [[id.toString('hex'), id] as const] : []))).values(),
];
