import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Blocked, EmailMessage } from '../resources.js';
import type { MessageRow } from '../tables/message.js';

const fixes = {
  test_environment:
    'A test environment sends only to active members of its account: send with a live key, or to a member’s verified address.',
  no_consent: 'Call audience.consent.grant for this contact, topic and channel once they consented.',
  suppressed_recipient: 'Call audience.suppression.list to see why; only some suppressions can be lifted.',
} as const;

/** Why a message was stored and is not sent, with the next step. */
export function presentBlocked(reason: string | null): ValueOf<typeof Blocked> | null {
  if (reason === 'test_environment' || reason === 'no_consent' || reason === 'suppressed_recipient')
    return { reason, fix: fixes[reason] };
  return null;
}

/**
 * A message as replies and events carry it.
 * @param suppressed addresses that were left out
 * @param isLeased a worker is delivering it
 */
export const presentMessage = (
  row: MessageRow,
  suppressed: readonly string[],
  isLeased = false,
): ValueOf<typeof EmailMessage> => ({
  messageId: row.id,
  status: isLeased && row.status === 'queued' ? 'sending' : row.status,
  blocked: presentBlocked(row.blockedReason),
  suppressedRecipients: [...suppressed],
  system: row.isSystem,
  to: row.toAddresses,
  cc: row.ccAddresses,
  bcc: row.bccAddresses,
  from: row.fromAddress,
  fromName: row.fromName,
  replyTo: row.replyTo,
  subject: row.subject,
  template: row.template,
  templateVersion: null,
  templateLocale: null,
  topic: row.topic,
  broadcastId: null,
  automationId: null,
  contactId: row.contactId,
  tags: row.tags,
  sendAfter: row.sendAfter?.toISOString() ?? null,
  sentAt: row.sentAt?.toISOString() ?? null,
  bouncedAt: null,
  bounce: null,
  createdAt: row.createdAt.toISOString(),
});
