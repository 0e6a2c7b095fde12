import { verify } from 'node:crypto';
import type { CallbackRequest } from '#core/kernel/callback.js';
import { at, listAt, parseJson, textAt } from '#core/runtime/json.js';
import type { TelnyxAddress } from '../../deployment/addresses.js';
import { badSignature, messageIdOfUrl } from '../callback-values.js';
import type { ReceivedText, StatusReport } from '../provider.js';

/** How far a callback's time may differ from ours, so that a recorded callback cannot be sent again later. */
const toleranceMs = 5 * 60_000;

/**
 * Reads the event of a callback that Telnyx signed: Ed25519 over its time and the body as it was received
 * (https://developers.telnyx.com/development/api-fundamentals/webhooks/receiving-webhooks).
 * @throws callback_rejected
 */
export function signedEvent({ rawBody, headers }: CallbackRequest, { publicKey }: TelnyxAddress, now: Date): unknown {
  const timestamp = headers['telnyx-timestamp'] ?? '';
  const signature = Buffer.from(headers['telnyx-signature-ed25519'] ?? '', 'base64');
  const signed = Buffer.concat([Buffer.from(`${timestamp}|`), rawBody]);
  if (!/^\d{1,12}$/.test(timestamp) || !verify(null, signed, publicKey, signature))
    throw badSignature('the signature is missing or wrong');
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > toleranceMs)
    throw badSignature('it was signed more than five minutes ago, or the clocks differ by more than that');
  return at(parseJson(rawBody.toString('utf8')), 'data');
}

const statuses: Readonly<Record<string, StatusReport['status']>> = {
  sent: 'sent',
  delivered: 'delivered',
  expired: 'failed',
  sending_failed: 'failed',
  delivery_failed: 'failed',
};

/**
 * The report in a status event; null if there is none: `queued`, `sending` and `delivery_unconfirmed` contain nothing
 * new.
 */
export function statusOf(event: unknown): StatusReport | null {
  const payload = at(event, 'payload');
  const providerId = textAt(payload, 'id');
  const [recipient] = listAt(payload, 'to');
  const named = textAt(recipient, 'status') ?? '';
  const status = Object.hasOwn(statuses, named) ? statuses[named] : undefined;
  if (providerId === null || status === undefined) return null;
  const [error] = listAt(payload, 'errors');
  const detail = textAt(error, 'detail') || textAt(error, 'title') || (named === 'expired' ? 'Message expired' : null);
  // Telnyx signs the body, which repeats the address that it was given, but not the address that it calls.
  const messageId = messageIdOfUrl(textAt(payload, 'webhook_url'));
  return { providerId, messageId, status, code: textAt(error, 'code'), detail };
}

/** The text in an event of type message.received; null if there is none. */
export function textOf(event: unknown): ReceivedText | null {
  if (textAt(event, 'event_type') !== 'message.received') return null;
  const payload = at(event, 'payload');
  const [recipient] = listAt(payload, 'to');
  const [providerId, from, to] = [
    textAt(payload, 'id'),
    textAt(payload, 'from', 'phone_number'),
    textAt(recipient, 'phone_number'),
  ];
  if (!providerId || !from || !to) return null;
  return { providerId, from, to, body: textAt(payload, 'text') ?? '' };
}
