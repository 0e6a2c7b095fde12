import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import type { Session } from '#core/runtime/database/session.js';
import { randomToken } from '#core/runtime/secrets/digest.js';
import type { Place, Vault } from '#core/runtime/secrets/vault.js';
import type { WebhookEndpoint } from '../resources.js';
import { webhooks, type WebhookRow } from '../tables/webhook.js';

/** An endpoint as replies and events carry it: never its secret. */
export const presentEndpoint = (row: WebhookRow): ValueOf<typeof WebhookEndpoint> => ({
  endpointId: row.id,
  url: row.url,
  eventTypes: row.eventTypes,
  description: row.description,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/**
 * An endpoint of the caller's environment, its row held until the transaction ends where `lock` says so.
 * @throws not_found for another environment's endpoint, exactly as for one that does not exist
 */
export async function findEndpoint(
  db: Session,
  caller: TenantCaller,
  endpointId: string,
  fail: ErrorMakers<'not_found', SvcError>,
  lock: 'lock' | 'read' = 'read',
): Promise<WebhookRow> {
  if (lock === 'lock')
    await db.rows('SELECT id FROM developers_webhook WHERE id = ? FOR UPDATE', [idBytes(endpointId)]);
  const row = await db.findOne(webhooks, { id: endpointId, environmentId: caller.environment.id });
  if (!row) throw fail.not_found({ thing: 'webhook endpoint', lookup: 'developers.webhook.list' });
  return row;
}

const place = (endpointId: string): Place => ({
  table: 'developers_webhook',
  column: 'secret_sealed',
  row: endpointId,
});

/** A new signing secret: `svc_wh_` and 43 more characters; the HMAC key is this whole text. */
export function newSecret(vault: Vault, endpointId: string): { secret: string; sealed: Buffer } {
  const secret = `svc_wh_${randomToken(43)}`;
  return { secret, sealed: vault.seal(secret, place(endpointId)) };
}

export const openSecret = (vault: Vault, endpointId: string, sealed: Buffer): string =>
  vault.open(sealed, place(endpointId)).toString('utf8');
