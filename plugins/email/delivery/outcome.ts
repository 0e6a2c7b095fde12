import type { Context } from '#core/kernel/context.js';
import type { Services } from '#core/kernel/services.js';
import { idBytes } from '#core/runtime/id.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { completeWork, postponeWork, type Claim } from '#core/runtime/work/queue.js';
import { deliveryQueue } from '../messages/store.js';
import { presentMessage } from '../messages/present.js';
import type { Reach } from '../messages/eligibility.js';
import type { MessageRow } from '../tables/message.js';
import { messages } from '../tables/message.js';
import { recipients, type RecipientRow } from '../tables/recipient.js';
import type { LoadedMessage } from './load.js';
import { nextTry } from './retry.js';
import type { DeliveryReport, RecipientReport } from './smtp-transport.js';

/** Records what an attempt came to: rows and event together, and only while the lease holds. */
export async function recordOutcome(
  services: Services,
  claim: Claim,
  loaded: LoadedMessage,
  report: DeliveryReport,
): Promise<void> {
  const { message } = loaded;
  const now = services.clock.now();
  const retryAt = nextTry(claim.attempts, message.sendAfter ?? message.createdAt, now);
  const after = loaded.recipients.map((recipient) => afterAttempt(recipient, report.recipients, retryAt, now));
  const waiting = after.some(({ status }) => status === 'queued');
  await services.transaction('Email delivery', async (context) => {
    const { db } = context;
    const held =
      waiting && retryAt
        ? await postponeWork(db, deliveryQueue, claim, retryAt)
        : await completeWork(db, deliveryQueue, claim);
    // Another worker has the message meanwhile; what it records is the truth.
    if (!held) return;
    await writeAttempt(context, claim, message, report, now);
    for (const [index, recipient] of after.entries()) {
      if (recipient === loaded.recipients[index]) continue;
      const { status, smtpCode, response, endedAt } = recipient;
      await db.update(
        recipients,
        { messageId: message.id, position: recipient.position },
        { status, smtpCode, response, endedAt },
      );
    }
    if (waiting) await db.update(messages, { id: message.id }, { status: 'queued' });
    else await end(context, loaded, after, now);
  });
}

/** Recipients who unsubscribed, or were suppressed, after the message was accepted: they do not get it, and nobody else waits for them. */
export async function recordSuppressed(
  services: Services,
  claim: Claim,
  loaded: LoadedMessage,
  left: readonly Reach[],
): Promise<RecipientRow[]> {
  const now = services.clock.now();
  const addresses = new Set(left.map(({ address }) => address));
  const after = loaded.recipients.map((recipient) =>
    recipient.status === 'queued' && addresses.has(recipient.address)
      ? { ...recipient, status: 'suppressed' as const, endedAt: now }
      : recipient,
  );
  const isOver = after.every(({ status }) => status !== 'queued');
  await services.transaction('Email delivery', async (context) => {
    if (isOver && !(await completeWork(context.db, deliveryQueue, claim))) return;
    for (const { position, status } of after)
      if (status === 'suppressed')
        await context.db.update(
          recipients,
          { messageId: loaded.message.id, position, status: 'queued' },
          { status, endedAt: now },
        );
    if (isOver)
      await end(
        context,
        { ...loaded, message: { ...loaded.message, blockedReason: left[0]?.blocked ?? null } },
        after,
        now,
      );
  });
  return after;
}

/** A message that its account's closure held back for a day is cancelled. */
export async function recordCancelled(services: Services, claim: Claim, loaded: LoadedMessage): Promise<void> {
  const now = services.clock.now();
  await services.transaction('Email delivery', async (context) => {
    if (!(await completeWork(context.db, deliveryQueue, claim))) return;
    const after = loaded.recipients.map((recipient) =>
      recipient.status === 'queued' ? { ...recipient, status: 'cancelled' as const, endedAt: now } : recipient,
    );
    await context.db.update(
      recipients,
      { messageId: loaded.message.id, status: 'queued' },
      { status: 'cancelled', endedAt: now },
    );
    await end(context, loaded, after, now);
  });
}

function afterAttempt(
  recipient: RecipientRow,
  reports: readonly RecipientReport[],
  retryAt: Date | null,
  now: Date,
): RecipientRow {
  const report =
    recipient.status === 'queued' ? reports.find(({ address }) => address === recipient.address) : undefined;
  if (!report) return recipient;
  const { smtpCode, response } = report;
  if (report.outcome === 'sent') return { ...recipient, status: 'sent', smtpCode, response, endedAt: now };
  if (report.outcome === 'temporary' && retryAt) return { ...recipient, smtpCode, response };
  return { ...recipient, status: 'failed', smtpCode, response, endedAt: now };
}

async function writeAttempt(
  { db }: Context,
  claim: Claim,
  message: MessageRow,
  report: DeliveryReport,
  at: Date,
): Promise<void> {
  const outcomes = new Set(report.recipients.map(({ outcome }) => outcome));
  const [telling] = [...report.recipients].sort((a, b) => rank(b) - rank(a));
  const { sql, parameters } = insertInto('email_attempt', [
    {
      message_id: idBytes(message.id),
      attempt: claim.attempts,
      at,
      status: Buffer.from(outcomes.size > 1 ? 'mixed' : (telling?.outcome ?? 'sent')),
      smtp_code: telling?.smtpCode ?? null,
      response: telling?.response.slice(0, 500) ?? '',
      duration_ms: Math.round(report.durationMs),
    },
  ]);
  await db.run(sql, parameters);
}

const rank = ({ outcome }: RecipientReport): number => ['sent', 'temporary', 'permanent'].indexOf(outcome);

type EndEvent = 'email.sent' | 'email.cancelled' | 'email.failed' | 'email.suppressed';

/** Nobody is left to be reached: sent when anybody got it, failed only when nobody did. */
async function end(
  context: Context<EndEvent>,
  { message, environment }: LoadedMessage,
  after: readonly RecipientRow[],
  now: Date,
): Promise<void> {
  const status = after.some((each) => each.status === 'sent')
    ? 'sent'
    : after.some((each) => each.status === 'cancelled')
      ? 'cancelled'
      : after.some((each) => each.status === 'failed')
        ? 'failed'
        : 'suppressed';
  const blockedReason = status === 'suppressed' ? message.blockedReason : null;
  const sentAt = status === 'sent' ? now : null;
  const ended: MessageRow = { ...message, status, endedAt: now, sentAt, blockedReason };
  await context.db.update(messages, { id: message.id }, { status, endedAt: now, sentAt, blockedReason });
  // System mail is erased once it has ended: it may hold a code or a link.
  if (message.isSystem) await context.db.run('DELETE FROM email_content WHERE message_id = ?', [idBytes(message.id)]);
  const suppressed = after.filter((each) => each.status === 'suppressed').map(({ address }) => address);
  context.actIn(environment);
  context.emit(`email.${status}`, {
    subjectId: message.id,
    data: { message: presentMessage(ended, suppressed) },
    ...(message.contactId === null ? {} : { personId: message.contactId }),
  });
}
