import { numberOption } from '../number-option.js';
import type { Event, VerifyOptions } from '../webhooks.js';

/* Receives webhook deliveries. It needs the bytes of the body, because the signature covers them. */

export interface ReceiverOptions extends VerifyOptions {
  /** The endpoint's signing secret exactly as it was issued. */
  readonly secret: string | undefined;
  /** Larger bodies are refused. Default: 1 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Handles an event. Deliveries may repeat: recognize repeats by `event.id`. If it throws, the framework's own error
 * response makes svc deliver the event again.
 */
export type EventHandler = (event: Event) => unknown;

export interface ReceiverAnswer {
  readonly status: 204 | 400 | 413;
  readonly text: string;
}

/** The body of a request: as it arrives, or as another middleware read it without parsing. */
export type RawBody = AsyncIterable<Uint8Array> | Uint8Array | string;

/**
 * @returns 204 after the event was handled, 400 for a wrong signature, 413 for a body that is too large
 * @throws what the handler throws; TypeError without a secret
 */
export async function receiveEvent(
  body: RawBody,
  signature: string | readonly string[] | null | undefined,
  { secret, maxBytes = 1_048_576, ...options }: ReceiverOptions,
  handle: EventHandler,
): Promise<ReceiverAnswer> {
  const bytes = await bytesOf(body, numberOption('maxBytes', maxBytes));
  if (bytes === null) return { status: 413, text: 'The body is too large.' };
  // Not at the top: it needs node:crypto, which runtimes that only check tokens may lack.
  const { constructEvent, WebhookRejected } = await import('../webhooks.js');
  let event: Event;
  try {
    event = constructEvent(bytes, signature, secret, options);
  } catch (error) {
    if (error instanceof WebhookRejected) return { status: 400, text: error.message };
    throw error;
  }
  await handle(event);
  return { status: 204, text: '' };
}

/** @returns null if there are more than `maxBytes` */
async function bytesOf(body: RawBody, maxBytes: number): Promise<Uint8Array | null> {
  if (typeof body === 'string') return bytesOf(new TextEncoder().encode(body), maxBytes);
  if (body instanceof Uint8Array) return body.length > maxBytes ? null : body;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** For frameworks whose middleware reads bodies. */
export const parsedBodyError = (fix: string): TypeError =>
  new TypeError(`The body was parsed before the webhook’s signature was checked. ${fix}`);
