import { closedEnvironments } from '#core/kernel/environment/environment.js';
import type { Services } from '#core/kernel/services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { completeWork, postponeWork, type WorkQueue } from '#core/runtime/work/queue.js';
import { idBytes } from '#core/runtime/id.js';
import { deliveryQueue } from '../messages/store.js';
import { askAgain } from './recheck-eligibility.js';
import { composeMessage, MessageUnsendable } from './compose.js';
import { loadMessage, type LoadedMessage } from './load.js';
import { recordCancelled, recordOutcome, recordSuppressed } from './outcome.js';
import { isStale } from './retry.js';
import type { DeliveryReport, MailTransport } from './smtp-transport.js';

/** Messages of one lane handed over at once by one process. */
export const concurrency = 8;

/** The delivery of queued mail: reads a message again at hand-over, gives it to the mail server, records what came of it. */
export const delivery = (services: Services, transport: MailTransport): WorkQueue => ({
  ...deliveryQueue,
  concurrency,
  excludedPartitions: [{ partitions: closedEnvironments }],
  async perform(claim) {
    const { database, clock, log } = services;
    const loaded = await loadMessage(services, claim.id);
    if (!loaded) {
      log.error({ messageId: claim.id }, 'a queued message is gone; its place in the queue is given up');
      await completeWork(database, deliveryQueue, claim);
      return;
    }
    const { message, environment, closure } = loaded;
    if (environment.closedAt) {
      // Closed between claim and hand-over: it waits with the others.
      await postponeWork(database, deliveryQueue, claim, clock.now());
      return;
    }
    if (isStale(message.sendAfter ?? message.createdAt, closure)) {
      await recordCancelled(services, claim, loaded);
      return;
    }
    const { blocked, headers } = await askAgain(services, loaded);
    const recipients =
      blocked.length > 0 ? await recordSuppressed(services, claim, loaded, blocked) : loaded.recipients;
    if (!recipients.some(({ status }) => status === 'queued')) return;
    const ready = { ...loaded, recipients, message: { ...message, headers: { ...message.headers, ...headers } } };
    await database.run("UPDATE email_message SET status = 'sending' WHERE id = ? AND status = 'queued'", [
      idBytes(message.id),
    ]);
    crashPoint('email.handover.before');
    const report = await handOver(transport, ready);
    crashPoint('email.answer.after');
    await recordOutcome(services, claim, ready, report);
    crashPoint('email.record.after');
  },
});

/** One attempt, for the recipients that are still to be reached. */
async function handOver(transport: MailTransport, loaded: LoadedMessage): Promise<DeliveryReport> {
  const { message, recipients, subject, text, html, attachments } = loaded;
  const open = recipients.filter(({ status }) => status === 'queued').map(({ address }) => address);
  const domain = message.fromAddress.slice(message.fromAddress.lastIndexOf('@') + 1);
  try {
    const raw = await composeMessage({
      messageId: message.id,
      messageIdDomain: domain,
      // Fixed, as everything here: a repeat after a crash is the same message to the byte.
      date: message.sendAfter ?? message.createdAt,
      from: { name: message.fromName, address: message.fromAddress },
      to: message.toAddresses,
      cc: message.ccAddresses,
      replyTo: message.replyTo,
      subject,
      text,
      html,
      headers: message.headers,
      attachments,
    });
    return await transport.deliver({ envelopeFrom: message.fromAddress, recipients: open, raw });
  } catch (error) {
    if (!(error instanceof MessageUnsendable)) throw error;
    return {
      durationMs: 0,
      recipients: open.map((address) => ({
        address,
        outcome: 'permanent' as const,
        smtpCode: null,
        response: error.message,
      })),
    };
  }
}
