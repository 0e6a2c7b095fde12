import { erasureBatch, type PersonEraser } from '#core/kernel/erasure/person.js';
import { idBytes } from '#core/runtime/id.js';
import { deliveryQueue } from './list.js';

const ofPerson = `svc_event v FORCE INDEX (person) STRAIGHT_JOIN developers_delivery d FORCE INDEX (event) ON d.event_id = v.id`;

/**
 * Forgets what receivers answered to deliveries of a person's events: they may send back what they were sent. The payload itself is
 * the event's, which the kernel redacts; a delivery that is under way has the old one still, and what it brings is seen to later.
 */
export const erase = (): PersonEraser => ({
  async step({ environment, personId }, { db }) {
    const person = [idBytes(personId), idBytes(environment.id)];
    // First of all: what is recorded after this look was either under way, or read its event when that was redacted already.
    const underWay = await db.rows(
      `SELECT d.id FROM ${ofPerson} JOIN ${deliveryQueue.table} q ON q.id = d.id
       WHERE v.person_id = ? AND v.environment_id = ? AND q.leased = 1 LIMIT 1`,
      person,
    );
    const rows = await db.rows<{ id: Buffer }>(
      `SELECT d.id FROM ${ofPerson} WHERE v.person_id = ? AND v.environment_id = ?
       AND (d.response_headers IS NOT NULL OR d.response_body IS NOT NULL OR d.error IS NOT NULL) LIMIT ?`,
      [...person, erasureBatch],
    );
    if (rows.length > 0) {
      await db.run(
        'UPDATE developers_delivery SET response_headers = NULL, response_body = NULL, error = NULL WHERE id IN (?)',
        [rows.map(({ id }) => id)],
      );
    }
    return { done: rows.length, stillInUse: underWay.length > 0 };
  },
});
