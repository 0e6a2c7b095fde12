import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { openSecret } from '../webhooks/endpoints.js';
import { deliveryHeaders } from './headers.js';
import { sign, signatureHeader } from './signature.js';
import type { LoadedDelivery } from './load.js';

/** What an attempt came to. */
export interface Attempted {
  at: Date;
  signedAt: number;
  signature: Buffer;
  responseStatus: number | null;
  responseHeaders: string | null;
  responseBody: Buffer | null;
  /** Null for a 2xx, which alone ends a delivery as delivered: a redirect is a failure. */
  error: string | null;
  durationMs: number;
}

const keptBytes = 4 * 1024;

/** Of endpoints as they were read: deliveries that were read together share one, and its secret is opened once. */
const opened = new WeakMap<LoadedDelivery['endpoint'], string>();

function secretOf(vault: Vault, endpoint: LoadedDelivery['endpoint']): string {
  const secret = opened.get(endpoint) ?? openSecret(vault, endpoint.id, endpoint.sealed);
  opened.set(endpoint, secret);
  return secret;
}

/**
 * One attempt: signs now, with the secret as it is now, and posts. Trouble is an answer too.
 * @param withinMs for connecting, sending and reading: in all
 */
export async function attempt(
  { http, vault, clock }: Pick<WorkerServices, 'http' | 'vault' | 'clock'>,
  loaded: LoadedDelivery,
  withinMs = 15_000,
): Promise<Attempted> {
  const at = clock.now();
  const signedAt = Math.floor(at.getTime() / 1000);
  const signature = sign(secretOf(vault, loaded.endpoint), signedAt, loaded.body);
  const answer = await http.request({
    method: 'POST',
    url: loaded.endpoint.url,
    headers: deliveryHeaders(loaded, signatureHeader(signedAt, signature)),
    body: loaded.body,
    http: loaded.environment.kind === 'test',
    // Two tenants may have endpoints at one server: neither waits for the other's connections.
    pool: loaded.endpoint.id,
    timeoutMs: withinMs,
    maxResponseBytes: keptBytes,
  });
  const shared = { at, signedAt, signature, durationMs: Math.round(answer.durationMs) };
  if (!answer.ok) {
    return {
      ...shared,
      responseStatus: null,
      responseHeaders: null,
      responseBody: null,
      error: `${answer.error.kind}: ${answer.error.message}`.slice(0, 500),
    };
  }
  const fine = answer.status >= 200 && answer.status < 300;
  const headers = JSON.stringify(answer.headers);
  return {
    ...shared,
    responseStatus: answer.status,
    responseHeaders: headers.length > keptBytes ? '{}' : headers,
    responseBody: answer.body.subarray(0, keptBytes),
    error: fine
      ? null
      : answer.status >= 300 && answer.status < 400
        ? `answered ${answer.status}: redirects are not followed`
        : `answered ${answer.status}`,
  };
}
