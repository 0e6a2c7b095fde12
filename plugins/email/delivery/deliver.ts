import type { Delivery, DeliveryReport } from '#core/messaging/channel.js';
import { dueAt } from '#core/messaging/due.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Content } from '../messages/content.js';
import { openContent } from '../messages/sealed.js';
import type { MessageRow } from '../tables/message.js';
import { composeMessage, MessageUnsendable } from './compose.js';
import type { LoadedContent } from './contents.js';
import type { MailTransport } from './transport.js';

/**
 * Composes a message and hands it over, once. Everything in it is fixed when it is accepted, so a repeat after a crash is the same message
 * to the byte.
 */
export async function deliverMail(
  transport: MailTransport,
  vault: Vault,
  { message, content, addresses, preferencesUrl }: Delivery<MessageRow, LoadedContent>,
): Promise<DeliveryReport> {
  if (!content) return unsendable(addresses, 'The content of the message is gone.');
  const { subject, text, html } = readable(vault, message, content);
  try {
    const raw = await composeMessage({
      messageId: message.id,
      messageIdDomain: message.fromAddress.slice(message.fromAddress.lastIndexOf('@') + 1),
      date: dueAt(message),
      from: { name: message.fromName, address: message.fromAddress },
      to: message.toAddresses,
      cc: message.ccAddresses,
      replyTo: message.replyTo,
      subject,
      text,
      html,
      headers: { ...message.headers, ...(preferencesUrl === null ? {} : unsubscribeHeaders(preferencesUrl)) },
      attachments: content.attachments,
    });
    return await transport.deliver({ envelopeFrom: message.fromAddress, recipients: [...addresses], raw });
  } catch (error) {
    if (!(error instanceof MessageUnsendable)) throw error;
    return unsendable(addresses, error.message);
  }
}

const readable = (vault: Vault, message: MessageRow, { id, sealed, textBody, htmlBody }: LoadedContent): Content =>
  sealed ? openContent(vault, id, sealed) : { subject: message.subject ?? '', text: textBody, html: htmlBody };

/** One-click unsubscribe in the reader's mail program (RFC 2369 §3.2, RFC 8058 §3.1). */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

const unsendable = (addresses: readonly string[], response: string): DeliveryReport => ({
  durationMs: 0,
  recipients: addresses.map((address) => ({ address, outcome: 'permanent', code: null, response })),
});
