import type { ValueOf } from '#core/kernel/schema/schema.js';
import { randomToken } from '#core/runtime/secrets/digest.js';
import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import type { WebhookEndpoint } from '../resources.js';
import type { WebhookRow } from '../tables/webhook.js';
import type { MadeEndpoint } from '#core/kernel/ports.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';

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

/** For audit records, because an account can have thousands. */
const maxListed = 200;

/**
 * The oldest 200 webhook endpoints of an account, or of one member: those that the member created or whose address the
 * member changed last.
 */
export async function madeEndpoints(
  db: Session,
  by: { accountId: string } | { memberId: string },
): Promise<MadeEndpoint[]> {
  const [condition, id] = 'memberId' in by ? ['w.member_id = ?', by.memberId] : ['e.account_id = ?', by.accountId];
  const rows = await db.rows<{ id: Buffer; environment_id: Buffer; url: Buffer }>(
    `SELECT w.id, w.environment_id, w.url FROM developers_webhook w JOIN svc_environment e ON e.id = w.environment_id
     WHERE ${condition} ORDER BY w.id LIMIT ?`,
    [idBytes(id), maxListed],
  );
  return rows.map(({ id: endpointId, environment_id: environmentId, url }) => ({
    id: idText(endpointId),
    environmentId: idText(environmentId),
    url: url.toString(),
  }));
}
