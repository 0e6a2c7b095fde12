import type { ErasureContext, PersonEraser, RequestedErasure, ErasureStep } from '#core/kernel/person.js';
import { phoneForms } from '#core/kernel/schema/phone.js';
import type { Services } from '#core/kernel/services.js';
import { messageEraser } from '#core/messaging/erase.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { smsDriver } from './messages/driver.js';
import { phoneFiles, removeTextsOf } from './providers/log/store.js';

/** Texts of one step: each has an event, and may have deliveries of it. */
const textsPerStep = 50;

/**
 * Erases a person from received texts, found by the contact or by the number. The texts stay, without their sender and
 * content. Later texts from the number may be another person's.
 */
async function eraseInbound(
  { environment, personId, phone, requestedAt }: RequestedErasure,
  { db, redactAbout }: ErasureContext,
): Promise<ErasureStep> {
  const environmentId = idBytes(environment.id);
  const byNumber =
    phone === null
      ? { sql: '', parameters: [] }
      : {
          sql: ' UNION SELECT id FROM sms_inbound WHERE environment_id = ? AND from_number IN (?) AND received_at <= ?',
          parameters: [environmentId, formsOf(phone), requestedAt],
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

const formsOf = (phone: string): Buffer[] => phoneForms(phone).map((form) => Buffer.from(form));

const eraseMessages = messageEraser(smsDriver);

/** Texts to the number that were deleted earlier. */
async function forgetLastTexts(
  { environment, phone }: Pick<RequestedErasure, 'environment' | 'phone'>,
  { db }: Pick<ErasureContext, 'db'>,
): Promise<void> {
  if (phone === null) return;
  await db.run('DELETE FROM sms_last_text WHERE to_number IN (?) AND environment_id = ?', [
    formsOf(phone),
    idBytes(environment.id),
  ]);
}

/** Erases a person from sent and received texts and from the texts of /dev/phone. */
export const eraser = ({ deployment }: Services): PersonEraser => ({
  async step(person, context) {
    const sent = await eraseMessages(person, context);
    if (sent.done > 0) return sent;
    await forgetLastTexts(person, context);
    const received = await eraseInbound(person, context);
    return { done: received.done, stillInUse: sent.stillInUse === true || received.stillInUse === true };
  },
  async outside({ phone }) {
    if (phone !== null) await removeTextsOf(phoneFiles(deployment), phone);
  },
});
