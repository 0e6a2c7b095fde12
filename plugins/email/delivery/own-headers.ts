import type { SendingDomain } from '../signing/sending-domains.js';
import { brevoHeader } from '../callbacks/brevo.js';
import { postmarkMetadata } from '../callbacks/postmark.js';

/**
 * Unsubscribing in the reader's mail program (RFC 2369 §3.2); with one click only over https, and under a signature
 * that covers both headers (RFC 8058 §3.1, §4).
 */
export const unsubscribeHeaders = (url: string, { signers }: SendingDomain): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https://') && signers.length > 0
    ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {}),
});

/**
 * Providers that change the Message-ID of mail, by the domains of their SMTP hosts, and the header that they repeat in
 * their callbacks.
 */
const headers: readonly (readonly [domain: string, header: string])[] = [
  ['postmarkapp.com', `X-PM-Metadata-${postmarkMetadata}`],
  ['brevo.com', brevoHeader],
  ['sendinblue.com', brevoHeader],
];

/**
 * Creates the function that makes the headers by which the callbacks of a relay identify our messages.
 * @param smtpUrl the relay; undefined for the local mailbox
 */
export function relayTracking(smtpUrl: string | undefined): (messageId: string) => Record<string, string> {
  const host = smtpUrl === undefined ? '' : new URL(smtpUrl).hostname.toLowerCase();
  const [, header] = headers.find(([domain]) => host === domain || host.endsWith(`.${domain}`)) ?? [];
  return (messageId) => (header === undefined ? {} : { [header]: messageId });
}
