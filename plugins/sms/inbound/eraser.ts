import type { ErasureContext, ErasureStep, RequestedErasure } from '#core/kernel/person.js';
import { idBytes, idText } from '#core/runtime/id.js';

/** Texts of one step: each has an event, and may have deliveries of it. */
const textsPerStep = 50;

/**
 * Erases a person from received texts, found by the contact or by the number. The texts stay, without their sender and
 * content. Later texts from the number may be another person's.
 */
export async function eraseInbound(
  { environment, personId, phone, requestedAt }: RequestedErasure,
  { db, redactAbout }: ErasureContext,
): Promise<ErasureStep> {
  const environmentId = idBytes(environment.id);
  const byNumber =
    phone === null
      ? { sql: '', parameters: [] }
      : {
          sql: ' UNION SELECT id FROM sms_inbound WHERE environment_id = ? AND from_number = ? AND received_at <= ?',
          parameters: [environmentId, Buffer.from(phone), requestedAt],
        };
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT id FROM (SELECT id FROM sms_inbound WHERE contact_id = ? AND environment_id = ?${byNumber.sql}) found
     ORDER BY id LIMIT ?`,
    [idBytes(personId), environmentId, ...byNumber.parameters, textsPerStep],
  );
  if (rows.length === 0) return { done: 0 };
  const ids = rows.map(({ id }) => id);
  await db.run("UPDATE sms_inbound SET from_number = '', body = '', contact_id = NULL WHERE id IN (?)", [ids]);
  await redactAbout({ type: 'inbound', ids: ids.map(idText) });
  return { done: ids.length };
}
