import type { Delivery, DeliveryReport, RecipientReport } from '#core/messaging/driver.js';
import { dueAt } from '#core/messaging/due.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { createBatcher } from '#core/runtime/database/batcher.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Content } from '../templates/content.js';
import { sealedMails } from '../messages/sealed.js';
import { settings } from '../deployment/settings.js';
import type { MessageRow } from '../tables/message.js';
import { composeMessage, MessageUnsendable } from './compose.js';
import { loadAttachments, type LoadedContent, type MailContent } from './contents.js';
import { returnPath } from '../bounces/return-path.js';
import { messageSigner } from '../signing/message-signer.js';
import { mustWaitForKey, sendingDomains, type SendingDomain } from '../signing/sending-domains.js';
import type { MailTransport } from '../transport.js';
import { unanswered } from './smtp/answers.js';
import { broadcastDelivery, submittedAs, type BroadcastDelivery, type BroadcastParts } from './deliver-broadcasts.js';
import { relayTracking, unsubscribeHeaders } from './own-headers.js';

type MailDelivery = Delivery<MessageRow, MailContent>;
/** A delivery whose texts are known. */
type Readable = Omit<MailDelivery, 'content'> & { readonly texts: Content; readonly stored: LoadedContent | null };
type Signable = Readable & { readonly sending: SendingDomain };

/**
 * The most messages with attachments that are composed at the same time: each takes several times its size in memory.
 */
const largeAtOnce = 2;

/**
 * Creates the functions that compose messages and submit each once. A single message is fixed when it is accepted, so
 * a repeat after a crash is identical to the byte. A message of a broadcast is rendered again, with the contact's
 * present fields and a new seal in its links; its Message-ID stays the same.
 * @param returnDomainOf see returnDomains
 */
export function mailDelivery(
  transport: MailTransport,
  services: Pick<WorkerServices, 'database' | 'vault' | 'deployment' | 'read'>,
  returnDomainOf: (message: MessageRow) => string | undefined,
): BroadcastDelivery & Pick<BroadcastParts, 'deliver'> {
  const { database, vault, deployment } = services;
  const sendingDomain = sendingDomains(services);
  const signaturesOf = messageSigner(deployment);
  const trackingOf = relayTracking(deployment.settingsOf(settings).smtpUrl);
  const composeLarge = createBatcher(
    (deliveries: readonly Signable[]) => Promise.all(deliveries.map((each) => compose(each))),
    { maxItems: 1, maxRunning: largeAtOnce },
  );

  /** Where bounces are received; undefined for the sender's own address. */
  const returnDomain = (message: MessageRow, sending: SendingDomain): string | undefined => {
    const fallback = returnDomainOf(message);
    return fallback && (sending.returnDomain ?? fallback);
  };

  const compose = async ({ message, texts, stored, preferencesUrl, sending }: Signable): Promise<Buffer> => {
    const { subject, text, html } = texts;
    const date = dueAt(message);
    const files = stored ? await loadAttachments(database, stored) : [];
    const entity = message.submission?.isEntity === true ? files[0]?.content : undefined;
    const raw = await composeMessage({
      messageId: message.id,
      messageIdDomain: domainOf(message.fromAddress),
      date,
      from: { name: message.fromName, address: message.fromAddress },
      to: message.toAddresses,
      cc: message.ccAddresses,
      replyTo: message.replyTo,
      names: message.displayNames ?? {},
      subject,
      text,
      html,
      headers: {
        ...trackingOf(message.id),
        ...message.headers,
        ...(preferencesUrl === null ? {} : unsubscribeHeaders(preferencesUrl, sending)),
      },
      attachments: entity ? [] : files,
      submission: message.submission ?? undefined,
      entity,
    });
    const fields = await signaturesOf(raw, sending, date);
    return fields === '' ? raw : Buffer.concat([Buffer.from(fields, 'latin1'), raw]);
  };

  const submit = async (delivery: Readable): Promise<DeliveryReport> => {
    const { message, environment, stored, recipients } = delivery;
    const addresses = recipients.map(({ address }) => address);
    try {
      const sending = await sendingDomain(environment, message.fromAddress);
      if (mustWaitForKey(message, sending))
        return { durationMs: 0, recipients: addresses.map((address) => ({ address, ...unsigned(message, sending) })) };
      const raw = await (stored && stored.files.length > 0 ? composeLarge : compose)({ ...delivery, sending });
      const domain = returnDomain(message, sending);
      if (domain === undefined)
        return await transport.deliver({ envelopeFrom: message.fromAddress, recipients: addresses, raw });
      const envelopes = recipients.map(({ address, position }) => ({
        address,
        envelopeFrom: returnPath(vault, { messageId: message.id, position }, domain),
      }));
      return await deliverEach(transport, envelopes, raw);
    } catch (error) {
      if (!(error instanceof MessageUnsendable)) throw error;
      return unsendable(addresses, error.message);
    }
  };

  const deliver: BroadcastParts['deliver'] = async ({ content, ...delivery }) => {
    const { message, recipients } = delivery;
    const addresses = recipients.map(({ address }) => address);
    if (!content) return unsendable(addresses, 'The content of the message no longer exists.');
    if ('raw' in content)
      return submittedAs(message, content, await transport.deliver({ ...content, recipients: addresses }));
    if (!('ok' in content)) return submit({ ...delivery, texts: readable(vault, message, content), stored: content });
    if (!content.ok) return unsendable(addresses, content.problem);
    const { content: texts, locale, preferencesUrl } = content;
    const sent = { ...message, subject: texts.subject, templateLocale: locale };
    return { ...(await submit({ ...delivery, message: sent, texts, stored: null, preferencesUrl })), message: sent };
  };

  const parts = { transport, services, signaturesOf, sendingDomain, trackingOf, returnDomain, deliver };
  return { deliver, ...broadcastDelivery(parts) };
}

const readable = (vault: Vault, message: MessageRow, { id, sealed, textBody, htmlBody }: LoadedContent): Content =>
  sealed ? sealedMails.open(vault, id, sealed) : { subject: message.subject ?? '', text: textBody, html: htmlBody };

const unsigned = ({ fromAddress }: MessageRow, { exists }: SendingDomain): Omit<RecipientReport, 'address'> => {
  const domain = domainOf(fromAddress);
  const response = exists
    ? `No DKIM record of ${domain} resolves, and mail with a topic is only sent signed. Publish the records that email.domain.get shows, then call email.domain.verify.`
    : `The domain ${domain} was removed, and mail with a topic is only sent signed. Add it with email.domain.add, publish its records, then call email.domain.verify.`;
  return { outcome: 'temporary', code: null, response };
};

const unsendable = (addresses: readonly string[], response: string): DeliveryReport => ({
  durationMs: 0,
  recipients: addresses.map((address) => ({ address, outcome: 'permanent', code: null, response })),
});

/** One recipient's envelope. */
interface RecipientEnvelope {
  readonly envelopeFrom: string;
  readonly address: string;
}

/** Connections that one message uses at the same time. */
const atOnce = 4;

/**
 * Submits a message in a separate transaction for each recipient, so that each has its own return path (RFC 5321
 * §3.3: a transaction has one reverse-path). The octets are the same for all.
 *
 * If none of several transactions was answered, the remaining recipients are not tried: a server that hangs would
 * otherwise keep the message busy for a time-out per recipient.
 */
export async function deliverEach(
  transport: Pick<MailTransport, 'deliver'>,
  envelopes: readonly RecipientEnvelope[],
  raw: Buffer,
): Promise<DeliveryReport> {
  const startedAt = performance.now();
  const recipients: DeliveryReport['recipients'][number][] = [];
  for (let from = 0; from < envelopes.length; from += atOnce) {
    const reports = await Promise.all(
      envelopes
        .slice(from, from + atOnce)
        .map(({ envelopeFrom, address }) => transport.deliver({ envelopeFrom, recipients: [address], raw })),
    );
    const answers = reports.flatMap((report) => report.recipients);
    recipients.push(...answers);
    if (answers.every(({ outcome, code }) => outcome === 'temporary' && code === null)) break;
  }
  const untried = envelopes.slice(recipients.length).map(({ address }) => ({ address, ...unanswered }));
  return { durationMs: Math.round(performance.now() - startedAt), recipients: [...recipients, ...untried] };
}
