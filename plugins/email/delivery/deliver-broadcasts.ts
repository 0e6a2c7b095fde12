import type { Environment } from '#core/kernel/caller/caller.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import type { Delivery, DeliveryReport, DeliveryRun } from '#core/messaging/driver.js';
import { dueAt } from '#core/messaging/due.js';
import { returnPath } from '../bounces/return-path.js';
import type { BroadcastContent } from '../broadcasts/content.js';
import type { messageSigner } from '../signing/message-signer.js';
import { mustWaitForKey, type SendingDomain, type sendingDomains } from '../signing/sending-domains.js';
import type { MessageRow } from '../tables/message.js';
import type { EnvelopedMail, MailTransport } from '../transport.js';
import { messageComposer, MessageUnsendable } from './compose.js';
import { loadMailContents, type ComposedMail, type MailContent } from './contents.js';
import { unsubscribeHeaders, type relayTracking } from './own-headers.js';

type MailDelivery = Delivery<MessageRow, MailContent>;

/** What messages of broadcasts share with single ones. */
export interface BroadcastParts {
  readonly transport: MailTransport;
  readonly services: Pick<WorkerServices, 'database' | 'vault' | 'read'>;
  readonly signaturesOf: ReturnType<typeof messageSigner>;
  readonly sendingDomain: ReturnType<typeof sendingDomains>;
  readonly trackingOf: ReturnType<typeof relayTracking>;
  /** Where bounces are received; undefined for the sender's own address. */
  returnDomain(message: MessageRow, sending: SendingDomain): string | undefined;
  /** See DeliveryDriver. */
  deliver(delivery: MailDelivery): Promise<DeliveryReport<MessageRow>>;
}

/** See DeliveryDriver. */
export interface BroadcastDelivery {
  composeMany(environment: Environment, messages: readonly MessageRow[]): Promise<ReadonlyMap<string, MailContent>>;
  deliverEach(environment: Environment, run: DeliveryRun<MessageRow, MailContent>): Promise<void>;
}

/**
 * The delivery of broadcasts by chunks (core/messaging/bulk): the messages of a part are composed together, with their
 * common headers written once, and leave one after another.
 */
export function broadcastDelivery(parts: BroadcastParts): BroadcastDelivery {
  const { transport, services, signaturesOf, sendingDomain, trackingOf, returnDomain, deliver } = parts;
  const composeOne = async (
    message: MessageRow,
    { content: { subject, text, html }, locale, preferencesUrl }: Extract<BroadcastContent, { ok: true }>,
    sending: SendingDomain,
    write: ReturnType<typeof messageComposer>,
  ): Promise<MailContent> => {
    const [to = ''] = message.toAddresses;
    try {
      const headers = {
        ...trackingOf(message.id),
        ...message.headers,
        ...unsubscribeHeaders(preferencesUrl, sending),
      };
      const written = write({ messageId: message.id, to, subject, text, html, headers });
      const raw = `${await signaturesOf(written, sending, dueAt(message))}${written}`;
      const domain = returnDomain(message, sending);
      const envelopeFrom =
        domain === undefined
          ? message.fromAddress
          : returnPath(services.vault, { messageId: message.id, position: 0 }, domain);
      return { raw, envelopeFrom, subject, locale };
    } catch (error) {
      if (!(error instanceof MessageUnsendable)) throw error;
      return { ok: false, problem: error.message };
    }
  };

  const composeMany: BroadcastDelivery['composeMany'] = async (environment, messages) => {
    const contents = await loadMailContents(services, messages);
    const [first] = messages;
    if (!first) return contents;
    const sending = await sendingDomain(environment, first.fromAddress);
    // `deliver` says what is missing.
    if (mustWaitForKey(first, sending)) return contents;
    const { fromName: name, fromAddress: address, replyTo } = first;
    const date = dueAt(first);
    const write = messageComposer({ messageIdDomain: domainOf(address), date, from: { name, address }, replyTo });
    const composed = await Promise.all(
      messages.map(async (message): Promise<[string, MailContent][]> => {
        const content = contents.get(message.id);
        if (!content) return [];
        const isComposable = 'ok' in content && content.ok && Boolean(content.content.text || content.content.html);
        return [[message.id, isComposable ? await composeOne(message, content, sending, write) : content]];
      }),
    );
    return new Map(composed.flat());
  };

  const deliverEach: BroadcastDelivery['deliverEach'] = async (_environment, run) => {
    const others: Promise<void>[] = [];
    const alone = (delivery: MailDelivery): void => {
      others.push(deliver(delivery).then((report) => run.answered(delivery, report)));
    };
    if (!transport.deliverEach) {
      for (let delivery = run.next(); delivery; delivery = run.next()) run.answered(delivery, await deliver(delivery));
      return;
    }
    const open = new Map<EnvelopedMail, readonly [MailDelivery, ComposedMail]>();
    await transport.deliverEach({
      next() {
        for (let delivery = run.next(); delivery; delivery = run.next()) {
          const { content, recipients } = delivery;
          if (content && 'raw' in content) {
            const { raw, envelopeFrom } = content;
            const mail = { raw, envelopeFrom, recipients: recipients.map(({ address }) => address) };
            open.set(mail, [delivery, content]);
            return mail;
          }
          alone(delivery);
        }
        return undefined;
      },
      isCurrent: () => run.isCurrent(),
      answered(mail, report) {
        const [delivery, content] = open.get(mail) ?? [];
        if (!delivery || !content) return;
        open.delete(mail);
        run.answered(delivery, report && submittedAs(delivery.message, content, report));
      },
    });
    await Promise.all(others);
  };

  return { composeMany, deliverEach };
}

export const submittedAs = (
  message: MessageRow,
  { subject, locale }: ComposedMail,
  report: DeliveryReport,
): DeliveryReport<MessageRow> => ({ ...report, message: { ...message, subject, templateLocale: locale } });
