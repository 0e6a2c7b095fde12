import type { ValueOf } from '#core/kernel/schema/schema.js';
import { randomToken } from '#core/runtime/secrets/digest.js';
import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import type { WebhookEndpoint } from '../resources.js';
import type { WebhookRow } from '../tables/webhook.js';

/** Converts a row to the endpoint of the interface, which never contains the secret. */
export const presentEndpoint = (row: WebhookRow): ValueOf<typeof WebhookEndpoint> => ({
  endpointId: row.id,
  url: row.url,
  eventTypes: row.eventTypes,
  description: row.description,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const cellOf = (endpointId: string): Cell => ({
  table: 'developers_webhook',
  column: 'secret_sealed',
  row: endpointId,
});

/** Generates a signing secret: `svc_wh_` and 43 random characters. The HMAC key is the whole text, prefix included. */
export function newSecret(vault: Vault, endpointId: string): { secret: string; sealed: Buffer } {
  const secret = `svc_wh_${randomToken(43)}`;
  return { secret, sealed: vault.seal(secret, cellOf(endpointId)) };
}

/** Decrypts a signing secret. */
export const openSecret = (vault: Vault, endpointId: string, sealed: Buffer): string =>
  vault.open(sealed, cellOf(endpointId)).toString('utf8');
