import { createHmac } from 'node:crypto';
import type { CallbackRequest } from '#core/kernel/callback.js';
import { equalBytes } from '#core/runtime/secrets/digest.js';
import { badSignature, messageIdIn } from '../callback-values.js';
import type { ReceivedText, StatusReport } from '../provider.js';

/**
 * Reads the form of a callback that Twilio signed: HMAC-SHA1 under the auth token, of the address and of all fields,
 * sorted by name. The address may be signed with or without its port, so both are accepted
 * (https://www.twilio.com/docs/usage/security).
 * @throws callback_rejected
 */
export function signedForm({ rawBody, headers, url }: CallbackRequest, authToken: string): URLSearchParams {
  const form = new URLSearchParams(rawBody.toString('utf8'));
  const signature = Buffer.from(headers['x-twilio-signature'] ?? '', 'base64');
  if (!spellingsOf(url).some((spelling) => equalBytes(signatureOf(spelling, form, authToken), signature)))
    throw badSignature('the signature is missing or wrong');
  return form;
}

/** An address as it was given to Twilio, without its port, and with it. */
function spellingsOf(url: string): string[] {
  const { protocol, hostname, port } = new URL(url);
  const rest = url.replace(/^[^:]+:\/\/[^/?#]*/, '');
  const withPort = port === '' ? `${hostname}:${protocol === 'https:' ? 443 : 80}` : `${hostname}:${port}`;
  return [url, `${protocol}//${hostname}${rest}`, `${protocol}//${withPort}${rest}`];
}

function signatureOf(url: string, form: URLSearchParams, authToken: string): Buffer {
  const fields = [...form].sort(([a, first], [b, second]) => (a < b || (a === b && first < second) ? -1 : 1));
  const signed = fields.reduce((text, [name, value]) => `${text}${name}${value}`, url);
  return createHmac('sha1', authToken).update(signed).digest();
}

/** Others (queued, sending, accepted) contain nothing new. */
const statuses: Readonly<Record<string, StatusReport['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
};

/** The report in the form of a status callback; null if there is none. */
export function statusOf(form: URLSearchParams, query: URLSearchParams): StatusReport | null {
  const providerId = form.get('MessageSid') ?? form.get('SmsSid') ?? '';
  const named = form.get('MessageStatus') ?? '';
  const status = Object.hasOwn(statuses, named) ? statuses[named] : undefined;
  if (providerId === '' || status === undefined) return null;
  const code = form.get('ErrorCode') || null;
  const detail = form.get('ErrorMessage') || (code === null ? null : wordsOf(code));
  return { providerId, messageId: messageIdIn(query), status, code, detail };
}

const wordsOf = (code: string): string =>
  carrierErrors[code] ?? `Twilio’s error ${code}: https://www.twilio.com/docs/api/errors/${encodeURIComponent(code)}`;

/**
 * The meanings of the codes of undelivered texts; callbacks contain only the code
 * (https://www.twilio.com/docs/api/errors).
 */
const carrierErrors: Readonly<Record<string, string>> = {
  21610: 'The recipient has opted out of texts from this number',
  21614: 'Not a mobile number',
  21635: 'Landline',
  30001: 'Queue overflow',
  30002: 'Account suspended',
  30003: 'Unreachable destination handset',
  30004: 'Message blocked',
  30005: 'Unknown destination handset',
  30006: 'Landline or unreachable carrier',
  30007: 'Message filtered by the carrier',
  30008: 'Unknown error',
  30017: 'Carrier network congestion',
  30022: 'Throughput of the sending number exceeded',
  30023: 'Daily message cap of the carrier reached',
  30024: 'Sending number not provisioned at the carrier',
  30032: 'Toll-free number not verified',
  30034: 'Message from an unregistered number',
  30036: 'Validity period expired',
};

/** The text in the form of an inbound callback; null if there is none. */
export function textOf(form: URLSearchParams): ReceivedText | null {
  const [providerId, from, to] = [form.get('MessageSid') ?? form.get('SmsSid'), form.get('From'), form.get('To')];
  if (!providerId || !from || !to) return null;
  return { providerId, from, to, body: form.get('Body') ?? '' };
}
