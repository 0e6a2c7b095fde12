import { createHmac } from 'node:crypto';
import type { CallbackRequest } from '#core/kernel/callback.js';
import { equalBytes } from '#core/runtime/secrets/digest.js';
import { badSignature, messageIdIn } from '../callback-values.js';
import type { ReceivedText, StatusReport } from '../provider.js';

/**
 * Reads the form of a callback that Twilio signed: HMAC-SHA1 under the auth token, of the address as Twilio was given it and of all fields,
 * sorted by name (https://www.twilio.com/docs/usage/security).
 * @throws callback_rejected
 */
export function signedForm({ rawBody, headers, url }: CallbackRequest, authToken: string): URLSearchParams {
  const form = new URLSearchParams(rawBody.toString('utf8'));
  const expected = signatureOf(url, form, authToken);
  if (!equalBytes(expected, Buffer.from(headers['x-twilio-signature'] ?? '', 'base64')))
    throw badSignature('the signature is missing or wrong');
  return form;
}

function signatureOf(url: string, form: URLSearchParams, authToken: string): Buffer {
  const fields = [...form].sort(([a, first], [b, second]) => (a < b || (a === b && first < second) ? -1 : 1));
  const signed = fields.reduce((text, [name, value]) => `${text}${name}${value}`, url);
  return createHmac('sha1', authToken).update(signed).digest();
}

/** Others (queued, sending, accepted) say nothing that is not known. */
const statuses: Readonly<Record<string, StatusReport['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
};

/** The report in the form of a status callback; null where there is none. */
export function statusOf(form: URLSearchParams, query: URLSearchParams): StatusReport | null {
  const providerId = form.get('MessageSid') ?? form.get('SmsSid') ?? '';
  const named = form.get('MessageStatus') ?? '';
  const status = Object.hasOwn(statuses, named) ? statuses[named] : undefined;
  if (providerId === '' || status === undefined) return null;
  const code = form.get('ErrorCode') || null;
  const detail = form.get('ErrorMessage') || (code === null ? null : (carrierErrors[code] ?? null));
  return { providerId, messageId: messageIdIn(query), status, code, detail };
}

/** What the codes of undelivered texts mean; callbacks carry the code alone (https://www.twilio.com/docs/api/errors). */
const carrierErrors: Readonly<Record<string, string>> = {
  30001: 'Queue overflow',
  30002: 'Account suspended',
  30003: 'Unreachable destination handset',
  30004: 'Message blocked',
  30005: 'Unknown destination handset',
  30006: 'Landline or unreachable carrier',
  30007: 'Message filtered by the carrier',
  30008: 'Unknown error',
  30022: 'Throughput of the sending number exceeded',
  30034: 'Message from an unregistered number',
};

/** The text in the form of an inbound callback; null where there is none. */
export function textOf(form: URLSearchParams): ReceivedText | null {
  const [providerId, from, to] = [form.get('MessageSid') ?? form.get('SmsSid'), form.get('From'), form.get('To')];
  if (!providerId || !from || !to) return null;
  return { providerId, from, to, body: form.get('Body') ?? '' };
}
