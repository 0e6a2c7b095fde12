import type { CallbackRequest } from '#core/kernel/callback.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { parseAddress } from '#core/kernel/schema/email-address.js';
import { isRecord, parseJson } from '#core/runtime/json.js';
import type { MailClient } from '../authenticate.js';
import { makeRefusal } from './refusals.js';

/** Bytes of a message. */
export const mostMessageBytes = 25 * 1024 * 1024;
/** A message is a third longer in JSON. */
export const mostRequestBytes = 36 * 1024 * 1024;

/** A provider's delivery. */
export interface IngestRequest {
  envelopeTo: string;
  /** Empty for the null sender; undefined if none was given. */
  envelopeFrom: string | undefined;
  raw: Buffer;
  client: MailClient;
}

/**
 * Reads a delivery: a message/rfc822 with its envelope in headers, or JSON.
 * @throws unsupported_media_type, invalid_json, invalid_input, body_too_large, inbound_empty, inbound_no_recipient
 */
export function readIngest({ headers, rawBody }: Pick<CallbackRequest, 'headers' | 'rawBody'>): IngestRequest {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const { to, from, raw } = type === 'application/json' ? fromJson(rawBody) : fromMessage(type, headers, rawBody);
  if (raw.length === 0) throw makeRefusal.inbound_empty();
  if (raw.length > mostMessageBytes) throw refusalOf.body_too_large({ limit: mostMessageBytes });
  const recipient = parseAddress(bare(to ?? ''));
  if (!recipient.ok) throw makeRefusal.inbound_no_recipient();
  return {
    envelopeTo: recipient.address,
    envelopeFrom: from === undefined ? undefined : senderOf(from),
    raw,
    client: { ip: headers['x-svc-client-ip'] ?? null, helo: headers['x-svc-client-helo'] ?? null },
  };
}

interface Parts {
  to: string | undefined;
  from: string | undefined;
  raw: Buffer;
}

function fromMessage(type: string, headers: CallbackRequest['headers'], raw: Buffer): Parts {
  if (type !== 'message/rfc822')
    throw refusalOf.unsupported_media_type({
      type: type === '' ? 'without a Content-Type' : `${type}; a message is message/rfc822`,
    });
  return { to: headers['x-svc-envelope-to'], from: headers['x-svc-envelope-from'], raw };
}

function fromJson(body: Buffer): Parts {
  const value = parseJson(body.toString('utf8'));
  if (!isRecord(value)) throw refusalOf.invalid_json({ problem: 'it is not a JSON object' });
  const field = (name: string): string | undefined => {
    const found = value[name];
    if (found === undefined || found === null || typeof found === 'string') return found ?? undefined;
    throw invalidField(name, 'must be a string');
  };
  return { to: field('envelopeTo'), from: field('envelopeFrom'), raw: messageIn(field('raw') ?? '') };
}

/** The message as text, or in base64: a message has a colon in its first line, which never occurs in base64. */
function messageIn(raw: string): Buffer {
  const isBase64 = /^[A-Za-z0-9+/=\r\n]+$/.test(raw.slice(0, 1000));
  return Buffer.from(raw, isBase64 ? 'base64' : 'utf8');
}

const bare = (address: string): string => address.trim().replace(/^<(.*)>$/s, '$1');

/** An address that cannot be parsed is kept unchanged: it is information, and nothing is sent to it. */
export function senderOf(text: string): string {
  const given = bare(text);
  const parsed = parseAddress(given);
  return parsed.ok ? parsed.address : given.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, 254);
}
