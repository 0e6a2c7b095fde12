import type { ValueOf } from '#core/kernel/schema/schema.js';
import { presentOrigin } from '#core/messaging/resource.js';
import { shownStatus, type Waiting } from '#core/messaging/tables.js';
import type { MessageRow } from '../tables/message.js';
import type { Blocked, SmsMessage } from './resources.js';

type BlockedValue = ValueOf<typeof Blocked>;

/** The reason that replies state for each stored one, and the next step. */
const blocked: Readonly<Record<string, BlockedValue>> = {
  registration_required: {
    reason: 'registration_required',
    fix: 'File the carrier registration with sms.registration.submit, then send again; sms.registration.get shows what is missing.',
  },
  registration_failed: {
    reason: 'registration_required',
    fix: 'The carriers refused the registration: correct what sms.registration.get names, file it again with sms.registration.submit, then send again.',
  },
  test_environment: {
    reason: 'test_environment',
    fix: 'A test environment sends no texts: send with a live key, or to a test number, which plays an outcome (docs/texts.md).',
  },
  no_number: {
    reason: 'no_number',
    fix: 'Take a number with sms.number.assign, or name one with sms.settings.set (defaultNumberId), then send again.',
  },
  no_consent: {
    reason: 'no_consent',
    fix: 'Record the consent with audience.consent.grant (channel sms) once the contact has given it, then send again. Somebody who is not a contact yet is added with audience.contact.upsert first.',
  },
  topic_archived: {
    reason: 'no_consent',
    fix: 'The topic is archived, so nobody has granted it now: restore it with audience.topic.restore, then send again, or send under another topic.',
  },
  topic_channel_missing: {
    reason: 'no_consent',
    fix: 'The topic does not have the channel sms, so nobody can grant it there: add the channel with audience.topic.update and record consents with audience.consent.grant, or send under another topic.',
  },
  suppressed_recipient: {
    reason: 'suppressed_recipient',
    fix: 'Call audience.suppression.list to see why; only some suppressions can be lifted.',
  },
};

/** Why a message was stored and is not sent, with the next step. @param reason as stored with the message */
export const presentBlocked = (reason: string | null): BlockedValue | null =>
  reason === null ? null : (blocked[reason] ?? null);

/**
 * A message as replies and events carry it.
 * @param waiting what a queued message waits for; by default it is neither leased nor held
 */
export function presentMessage(
  row: MessageRow,
  waiting: Waiting = { isLeased: false, isClosed: false },
): ValueOf<typeof SmsMessage> {
  const status = shownStatus(row.status, waiting);
  return {
    messageId: row.id,
    // Texts do not come back as mail does: nothing stores `bounced`.
    status: status === 'bounced' ? 'failed' : status,
    blocked: presentBlocked(row.blockedReason),
    system: row.isSystem,
    to: row.toNumber,
    from: row.fromNumber,
    body: row.body,
    segments: row.segments,
    encoding: row.encoding,
    ...presentOrigin(row),
    // What never left was given back.
    price: status === 'suppressed' || status === 'cancelled' || (status === 'failed' && !row.sentAt) ? null : row.price,
    sendAfter: row.sendAfter?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    error: row.status === 'failed' ? { code: row.errorCode, message: row.errorDetail ?? '' } : null,
    createdAt: row.createdAt.toISOString(),
    contentRemovedAt: row.contentRemovedAt?.toISOString() ?? null,
  };
}
