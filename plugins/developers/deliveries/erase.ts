import { erasureBatch, type PersonEraser } from '#core/kernel/person.js';
import { idBytes } from '#core/runtime/id.js';
import { deliveryQueue } from '../tables/delivery.js';

const deliveriesOfPerson = `svc_event v FORCE INDEX (person) STRAIGHT_JOIN developers_delivery d FORCE INDEX (event) ON d.event_id = v.id`;

/**
 * Erases the stored responses to deliveries of a person's events, because a receiver may echo the payload. The payload
 * itself is part of the event, which the kernel redacts. An attempt in flight may still send the old payload, so the
 * step reports `stillInUse` until that attempt has ended.
 */
export const deliveryEraser = (): PersonEraser => ({
  async step({ environment, personId }, { db }) {
    const person = [idBytes(personId), idBytes(environment.id)];
    // Check before erasing: an attempt recorded after this query was in flight here, or read the redacted event.
    const inFlight = await db.rows(
      `SELECT d.id FROM ${deliveriesOfPerson} JOIN ${deliveryQueue.table} q ON q.id = d.id
       WHERE v.person_id = ? AND v.environment_id = ? AND q.leased = 1 LIMIT 1`,
      person,
    );
    const rows = await db.rows<{ id: Buffer }>(
      `SELECT d.id FROM ${deliveriesOfPerson} WHERE v.person_id = ? AND v.environment_id = ?
       AND (d.response_headers IS NOT NULL OR d.response_body IS NOT NULL OR d.error IS NOT NULL) LIMIT ?`,
      [...person, erasureBatch],
    );
    if (rows.length > 0) {
      await db.run(
        'UPDATE developers_delivery SET response_headers = NULL, response_body = NULL, error = NULL WHERE id IN (?)',
        [rows.map(({ id }) => id)],
      );
    }
    return { done: rows.length, stillInUse: inFlight.length > 0 };
  },
});
