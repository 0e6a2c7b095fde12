import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { productOf } from '#core/kernel/caller/permissions.js';
import { openBefore, openSecret, overlapEnd } from '../webhooks/endpoints.js';
import { deliveryHeaders, type Signed } from './request-response.js';
import { sign, standardSign } from './signatures.js';
import type { LoadedDelivery } from './load.js';
import { retryAfterMs } from './schedule.js';

/** The result of an attempt. */
export interface Attempted extends Signed {
  at: Date;
  responseStatus: number | null;
  responseHeaders: string | null;
  responseBody: Buffer | null;
  /** Null for a 2xx response. Everything else, including redirects, is a failure. */
  error: string | null;
  durationMs: number;
  /** The wait that the endpoint asks for (RFC 9110 section 10.2.3), in milliseconds; 0 if it asks for none. */
  retryAfterMs: number;
}

/** How much of the response headers and of the body is stored. */
const storedBytes = 4 * 1024;

/** The decrypted secrets of an endpoint. */
interface Secrets {
  current: string;
  before: string | null;
}

/**
 * Decrypted secrets by loaded endpoint. Deliveries of one batch share the endpoint object, so its secrets are decrypted
 * once.
 */
const opened = new WeakMap<LoadedDelivery['endpoint'], Secrets>();

function secretsOf(vault: Vault, endpoint: LoadedDelivery['endpoint'], now: Date): Secrets {
  const { id, sealed, sealedBefore } = endpoint;
  const secrets = opened.get(endpoint) ?? {
    current: openSecret(vault, id, sealed),
    before: sealedBefore && openBefore(vault, id, sealedBefore),
  };
  opened.set(endpoint, secrets);
  return overlapEnd(endpoint, now) ? secrets : { ...secrets, before: null };
}

/**
 * Makes one attempt: signs the body with the current secret, and with the one before while both sign, and posts it.
 * Network errors are returned in `error`, not thrown. If the endpoint may no longer receive the event, it is not sent,
 * which is also an error.
 * @param withinMs the total time limit for connecting, sending and reading
 */
export async function attempt(
  { http, vault, clock }: Pick<WorkerServices, 'http' | 'vault' | 'clock'>,
  loaded: LoadedDelivery,
  withinMs = 15_000,
): Promise<Attempted> {
  const at = clock.now();
  const signedAt = Math.floor(at.getTime() / 1000);
  const secrets = secretsOf(vault, loaded.endpoint, at);
  const { current, before } = secrets;
  const signed: Signed = {
    signedAt,
    signature: sign(current, signedAt, loaded.body),
    signatureBefore: before === null ? null : sign(before, signedAt, loaded.body),
    standardSignature: standardSign(current, loaded.eventId, signedAt, loaded.body),
    standardSignatureBefore: before === null ? null : standardSign(before, loaded.eventId, signedAt, loaded.body),
  };
  if (loaded.isWithheld) {
    const permission = `${productOf(loaded.eventType)}:read`;
    const error = `not sent: the endpoint was last changed by a caller without ${permission}. Set its eventTypes again with a key that holds it.`;
    const response = { responseStatus: null, responseHeaders: null, responseBody: null };
    return { at, ...signed, ...response, error, durationMs: 0, retryAfterMs: 0 };
  }
  const response = await http.request({
    method: 'POST',
    url: loaded.endpoint.url,
    headers: deliveryHeaders(loaded, signed),
    body: loaded.body,
    http: loaded.environment.kind === 'test',
    // A connection pool per endpoint, because tenants with endpoints on the same server must not wait for each other.
    pool: loaded.endpoint.id,
    timeoutMs: withinMs,
    maxResponseBytes: storedBytes,
    // “Answers 2xx within 15 seconds” (docs/interface.md, Events 5): the body is only kept for reading.
    endsAtHead: true,
  });
  const shared = { at, ...signed, durationMs: Math.round(response.durationMs) };
  if (!response.ok) {
    return {
      ...shared,
      responseStatus: null,
      responseHeaders: null,
      responseBody: null,
      error: `${response.error.kind}: ${response.error.message}`.slice(0, 500),
      retryAfterMs: 0,
    };
  }
  const isSuccess = response.status >= 200 && response.status < 300;
  const headers = JSON.stringify(response.headers);
  return {
    ...shared,
    responseStatus: response.status,
    responseHeaders: headers.length > storedBytes ? '{}' : headers,
    responseBody: response.body.subarray(0, storedBytes),
    error: isSuccess
      ? null
      : response.status >= 300 && response.status < 400
        ? `answered ${response.status}: redirects are not followed`
        : `answered ${response.status}`,
    retryAfterMs: isSuccess ? 0 : retryAfterMs(response.headers['retry-after'], at),
  };
}
