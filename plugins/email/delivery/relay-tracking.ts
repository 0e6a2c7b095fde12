import { brevoHeader } from '../callbacks/brevo.js';
import { postmarkMetadata } from '../callbacks/postmark.js';

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
