import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Blocked, EmailMessage } from '../resources.js';
import { explainBlock, explainRule, presentDetails } from '#core/messaging/blocked.js';
import { presentOrigin } from '#core/messaging/resource.js';
import { shownStatus, type Waiting } from '#core/messaging/tables.js';
import type { MessageRow } from '../tables/message.js';
import type { ReportRow, ReportType } from '../tables/report.js';
import type { BlockedReason } from './eligibility.js';

type Reason = ValueOf<typeof Blocked>['reason'];

/** What replies state for each stored reason if the record of what stopped the message is not stored with it. */
const blockedReasons: Readonly<Record<BlockedReason, { reason: Reason; message: string; fix: string }>> = {
  test_environment: {
    reason: 'test_environment',
    message: 'A test environment does not send mail to this recipient.',
    fix: 'A test environment sends only to active members of its account. Send with a live key, or to a member’s verified address.',
  },
  no_consent: {
    reason: 'no_consent',
    message: 'The contact has not granted the topic by email.',
    fix: 'Call audience.consent.list to see the contact’s consent history. Record a consent with audience.consent.grant only if the contact has given it on this channel since.',
  },
  topic_archived: { reason: 'no_consent', ...explainRule('topic_archived', 'email') },
  topic_channel_missing: { reason: 'no_consent', ...explainRule('topic_channel_missing', 'email') },
  suppressed_recipient: { reason: 'suppressed_recipient', ...explainRule('suppressed', 'email') },
};

const isBlockedReason = (reason: string | null): reason is BlockedReason => reason !== null && reason in blockedReasons;

/** The reason that replies state for a stored reason. */
export const presentReason = (reason: string | null): Reason | null =>
  isBlockedReason(reason) ? blockedReasons[reason].reason : null;

/** Why a message was stored but is not sent, with the next step. @param message what is stored with the message */
export function presentBlocked({
  blockedReason,
  blockedBy,
}: Pick<MessageRow, 'blockedReason' | 'blockedBy'>): ValueOf<typeof Blocked> | null {
  if (!isBlockedReason(blockedReason)) return null;
  return {
    ...blockedReasons[blockedReason],
    ...(blockedBy && explainBlock(blockedBy)),
    details: presentDetails(blockedBy),
  };
}

/**
 * A message in the form of replies and events.
 * @param suppressed addresses that were left out
 * @param waiting what a queued message waits for; by default it is neither leased nor held
 */
export const presentMessage = (
  row: MessageRow,
  suppressed: readonly string[],
  waiting: Waiting = { isLeased: false, isClosed: false },
): ValueOf<typeof EmailMessage> => ({
  messageId: row.id,
  status: shownStatus(row.status, waiting),
  blocked: presentBlocked(row),
  suppressedRecipients: [...suppressed],
  system: row.isSystem,
  to: row.toAddresses,
  cc: row.ccAddresses,
  bcc: row.bccAddresses,
  from: row.fromAddress,
  fromName: row.fromName,
  replyTo: row.replyTo,
  subject: row.subject,
  ...presentOrigin(row),
  sendAfter: row.sendAfter?.toISOString() ?? null,
  sentAt: row.sentAt?.toISOString() ?? null,
  deliveredAt: row.deliveredAt?.toISOString() ?? null,
  bouncedAt: row.bouncedAt?.toISOString() ?? null,
  bounce:
    row.bounceKind === null ? null : { kind: row.bounceKind, code: row.bounceCode, detail: row.bounceDetail ?? '' },
  createdAt: row.createdAt.toISOString(),
  contentRemovedAt: row.contentRemovedAt?.toISOString() ?? null,
});

/** A report about one recipient, in the form of replies. */
export function presentReports(reports: readonly ReportRow[]): {
  deliveredAt: string | null;
  bouncedAt: string | null;
  bounce: { kind: 'hard' | 'soft'; code: string | null; detail: string } | null;
  complainedAt: string | null;
} {
  const of = (type: ReportType): ReportRow | undefined => reports.find((report) => report.type === type);
  const bounce = of('bounced');
  return {
    deliveredAt: of('delivered')?.at.toISOString() ?? null,
    bouncedAt: bounce?.at.toISOString() ?? null,
    bounce: bounce?.kind ? { kind: bounce.kind, code: bounce.code, detail: bounce.detail } : null,
    complainedAt: of('complained')?.at.toISOString() ?? null,
  };
}
