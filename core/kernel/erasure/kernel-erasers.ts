import { idBytes } from '#core/runtime/id.js';
import { erasedUserLabel } from '../audit/activity.js';
import { erasureBatch, type PersonEraser } from '../person.js';
import { activitiesOf, erasedData, isTheirCall, redactAnswers } from './redact.js';

/** Half a batch, because each row may include a stored response. */
const batch = erasureBatch / 2;
const erasedSummary = 'Erased: the person it was about was deleted.';

/**
 * Redacts audit records about the person, and the stored responses of those calls. The actor is kept unless it is the
 * person; the client's IP address is removed from calls that the person made.
 */
const activities: PersonEraser = {
  async step({ environment, personId }, { db }) {
    const rows = await db.rows<{ id: Buffer }>(
      'SELECT id FROM svc_activity FORCE INDEX (person) WHERE person_id = ? AND environment_id = ? AND summary <> ? LIMIT ?',
      [idBytes(personId), idBytes(environment.id), erasedSummary, batch],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return { done: 0 };
    await db.run(
      `UPDATE svc_activity SET summary = ?, changes = '[]', ip = IF(${isTheirCall}, '', ip),
       user_agent = IF(${isTheirCall}, NULL, user_agent),
       actor_label = IF(actor_kind = 'user' AND actor_id = ?, ?, actor_label) WHERE id IN (?)`,
      [erasedSummary, Buffer.from(personId), erasedUserLabel, ids],
    );
    await redactAnswers(db, ids);
    return { done: ids.length };
  },
};

/**
 * Redacts events about the person, and the stored responses of the calls that wrote them. Later deliveries send the
 * redacted payload.
 */
const events: PersonEraser = {
  async step({ environment, personId }, { db }) {
    const rows = await db.rows<{ id: Buffer; activity_id: Buffer | null }>(
      'SELECT id, activity_id FROM svc_event FORCE INDEX (person) WHERE person_id = ? AND environment_id = ? AND data <> ? LIMIT ?',
      [idBytes(personId), idBytes(environment.id), erasedData, batch],
    );
    if (rows.length === 0) return { done: 0 };
    await db.run('UPDATE svc_event SET data = ? WHERE id IN (?)', [erasedData, rows.map(({ id }) => id)]);
    await redactAnswers(db, activitiesOf(rows));
    return { done: rows.length };
  },
};

/** The erasers of the kernel's own tables. */
export const kernelErasers: readonly PersonEraser[] = [activities, events];
