import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Blocked, EmailMessage } from '../resources.js';
import { presentOrigin } from '#core/messaging/resource.js';
import { shownStatus, type Waiting } from '#core/messaging/tables.js';
import type { MessageRow } from '../tables/message.js';
import type { ReportRow, ReportType } from '../tables/report.js';
import type { BlockedReason } from './eligibility.js';

type Reason = ValueOf<typeof Blocked>['reason'];

/** The reason that replies state for each stored one, and the next step. */
const blockedReasons: Readonly<Record<BlockedReason, { reason: Reason; fix: string }>> = {
  test_environment: {
    reason: 'test_environment',
    fix: 'A test environment sends only to active members of its account: send with a live key, or to a member’s verified address.',
  },
  no_consent: {
    reason: 'no_consent',
    fix: 'Record the consent with audience.consent.grant once the contact has given it on this channel, then send again. Somebody who is not a contact yet is added with audience.contact.upsert first.',
  },
  topic_archived: {
    reason: 'no_consent',
    fix: 'The topic is archived, so nobody has granted it now: restore it with audience.topic.restore, then send again, or send under another topic.',
  },
  topic_channel_missing: {
    reason: 'no_consent',
    fix: 'The topic does not have the channel email, so nobody can grant it there: add the channel with audience.topic.update and record consents with audience.consent.grant, or send under another topic.',
  },
  suppressed_recipient: {
    reason: 'suppressed_recipient',
    fix: 'Call audience.suppression.list to see why; only some suppressions can be lifted.',
  },
};

const isBlockedReason = (reason: string | null): reason is BlockedReason => reason !== null && reason in blockedReasons;

/** Why a message was stored and is not sent, with the next step. @param reason as stored with the message */
export const presentBlocked = (reason: string | null): ValueOf<typeof Blocked> | null =>
  isBlockedReason(reason) ? { ...blockedReasons[reason] } : null;

/**
 * A message as replies and events carry it.
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

/** What was reported about one recipient, as replies carry it. */
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
