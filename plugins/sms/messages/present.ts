import type { ValueOf } from '#core/kernel/schema/schema.js';
import { explainBlock, explainRule, presentDetails } from '#core/messaging/blocked.js';
import { presentOrigin } from '#core/messaging/resource.js';
import { shownStatus, type Waiting } from '#core/messaging/tables.js';
import type { MessageRow } from '../tables/message.js';
import type { Blocked, SmsMessage } from './resources.js';

type BlockedValue = ValueOf<typeof Blocked>;

/** What replies state for each stored reason if the record of what stopped the message is not stored with it. */
const blocked: Readonly<Record<string, Omit<BlockedValue, 'details'>>> = {
  registration_required: {
    reason: 'registration_required',
    message: 'The carriers require a registration, and none has been submitted.',
    fix: 'Submit the carrier registration with sms.registration.submit, then send again. sms.registration.get shows what is missing.',
  },
  registration_failed: {
    reason: 'registration_required',
    message: 'The carriers refused the registration.',
    fix: 'Correct the problems that sms.registration.get lists, resubmit with sms.registration.submit, then send again.',
  },
  test_environment: {
    reason: 'test_environment',
    message: 'A test environment does not send text messages.',
    fix: 'Send with a live key, or to a test number that simulates an outcome (docs/texts.md).',
  },
  no_number: {
    reason: 'no_number',
    message: 'The environment has no number to send from.',
    fix: 'Assign a number with sms.number.assign, or set a default with sms.settings.set (defaultNumberId), then send again.',
  },
  no_consent: {
    reason: 'no_consent',
    message: 'The contact has not granted the topic by SMS.',
    fix: 'Call audience.consent.list to see the contact’s consent history. Record a consent with audience.consent.grant (channel sms) only if the contact has given it on this channel since.',
  },
  topic_archived: { reason: 'no_consent', ...explainRule('topic_archived', 'sms') },
  topic_channel_missing: { reason: 'no_consent', ...explainRule('topic_channel_missing', 'sms') },
  suppressed_recipient: { reason: 'suppressed_recipient', ...explainRule('suppressed', 'sms') },
};

/** The reason that replies state for a stored reason. */
export const presentReason = (reason: string | null): BlockedValue['reason'] | null =>
  reason === null ? null : (blocked[reason]?.reason ?? null);

/** Why a message was stored but is not sent, with the next step. @param message what is stored with the message */
export function presentBlocked({
  blockedReason,
  blockedBy,
}: Pick<MessageRow, 'blockedReason' | 'blockedBy'>): BlockedValue | null {
  const known = blockedReason === null ? undefined : blocked[blockedReason];
  return known ? { ...known, ...(blockedBy && explainBlock(blockedBy)), details: presentDetails(blockedBy) } : null;
}

/**
 * A message in the form of replies and events.
 * @param waiting what a queued message waits for; by default it is neither leased nor held
 */
export function presentMessage(
  row: MessageRow,
  waiting: Waiting = { isLeased: false, isClosed: false },
): ValueOf<typeof SmsMessage> {
  const status = shownStatus(row.status, waiting);
  return {
    messageId: row.id,
    // Texts do not bounce as mail does: `bounced` is never stored.
    status: status === 'bounced' ? 'failed' : status,
    blocked: presentBlocked(row),
    system: row.isSystem,
    to: row.toNumber,
    from: row.fromNumber,
    body: row.body,
    segments: row.segments,
    encoding: row.encoding,
    ...presentOrigin(row),
    // The metering of a text that was never sent was reversed.
    price: status === 'suppressed' || status === 'cancelled' || (status === 'failed' && !row.sentAt) ? null : row.price,
    sendAfter: row.sendAfter?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    error: row.status === 'failed' ? { code: row.errorCode, message: row.errorDetail ?? '' } : null,
    createdAt: row.createdAt.toISOString(),
    contentRemovedAt: row.contentRemovedAt?.toISOString() ?? null,
  };
}
