import { idBytes } from '#core/runtime/id.js';
import { erasureBatch, type PersonEraser } from './person.js';
import { activitiesOf, erasedData, redactAnswers } from './redact.js';

/** Half a batch: each row may bring a stored answer with it. */
const batch = erasureBatch / 2;
const erasedSummary = 'Erased: the person it was about was deleted.';

/**
 * Audit records about the person, and the stored answers of those calls. The actor stays, unless it is the person; the client's address goes
 * where the person made the call.
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
      `UPDATE svc_activity SET summary = ?, changes = '[]', ip = IF(actor_kind IN ('public', 'user'), '', ip),
       user_agent = IF(actor_kind IN ('public', 'user'), NULL, user_agent),
       actor_label = IF(actor_kind = 'user' AND actor_id = ?, ?, actor_label) WHERE id IN (?)`,
      [erasedSummary, Buffer.from(personId), 'Erased user', ids],
    );
    await redactAnswers(db, ids);
    return { done: ids.length };
  },
};

/** Events about the person, and the stored answers of the calls that wrote them. Deliveries still to come carry the redacted payload. */
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
