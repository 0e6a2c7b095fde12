import { phoneForms } from '#core/kernel/schema/phone.js';
import { aboutPerson, type MessageDriver } from '#core/messaging/driver.js';
import { metering } from '#plugins/billing/ports.js';
import { attempts } from '../tables/attempt.js';
import { broadcastTables } from '../tables/broadcast.js';
import { deliveryQueueRef, messages, type MessageRow } from '../tables/message.js';
import { recipients } from '../tables/recipient.js';
import { statTables } from '../tables/stat.js';
import { presentMessage } from './present.js';
import { usageOf } from './metering.js';
import { hasUnclearAttempt } from './unclear.js';

/** How sms stores its messages (core/messaging/driver.ts). */
export const smsDriver: MessageDriver<MessageRow> = {
  name: 'sms',
  queue: deliveryQueueRef,
  tables: {
    messages,
    recipients,
    attempts,
    broadcasts: broadcastTables,
    contents: [{ table: 'sms_content', key: 'id' }],
    details: [{ table: 'sms_report', key: 'message_id' }],
    stats: statTables,
  },
  // Numbers are stored in E.164, as they were given: two forms may reach one phone.
  keyOf: (number) => number,
  keysOf: (number) => [...new Set([number, ...phoneForms(number)])],
  emit({ emit }, { message, outcome, environment }, activityId) {
    const about = { subjectId: message.id, data: { message: presentMessage(message) }, ...aboutPerson(message) };
    emit(`sms.${outcome}`, activityId === undefined ? about : { ...about, activityId }, environment);
  },
  unsettled: hasUnclearAttempt,
  async reverseUsage({ use }, environment, ended) {
    const usages = ended.map(({ id, broadcastId, meteredSegments, toNumber, createdAt }) => ({
      ...usageOf(broadcastId ?? id, toNumber, meteredSegments),
      recordedAt: createdAt,
    }));
    await use(metering).reverse(environment, usages);
  },
  async beforeRemoval(db, ids) {
    await db.run(
      `INSERT INTO sms_last_text (to_number, from_number, environment_id, message_id)
       SELECT r.address_key, COALESCE(m.from_number, ''), m.environment_id, m.id
       FROM sms_message m JOIN sms_recipient r ON r.message_id = m.id
       WHERE m.id IN (?) AND (m.sent_at IS NOT NULL OR m.unclear_at IS NOT NULL) AND r.address_key <> '' ORDER BY m.id
       ON DUPLICATE KEY UPDATE message_id = GREATEST(sms_last_text.message_id, VALUES(message_id))`,
      [ids],
    );
  },
  withoutContent: 'body = NULL',
  redaction: {
    addressOf: ({ phone }) => phone,
    redact: (message) => ({ ...message, toNumber: '', body: null, errorDetail: null }),
    update: ({ id, toNumber, body, errorDetail, contentId, tags, contactId, personId }) =>
      messages.updateRow({ id }, { toNumber, body, errorDetail, contentId, tags, contactId, personId }),
  },
};
