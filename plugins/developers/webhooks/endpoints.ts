import type { ValueOf } from '#core/kernel/schema/schema.js';
import { randomToken } from '#core/runtime/secrets/digest.js';
import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import type { WebhookEndpoint } from '../resources.js';
import type { WebhookRow } from '../tables/webhook.js';
import type { MadeEndpoint } from '#core/kernel/ports.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';

/** Converts a row to the endpoint of the interface, which never contains a secret. */
export const presentEndpoint = (row: WebhookRow, now: Date): ValueOf<typeof WebhookEndpoint> => ({
  endpointId: row.id,
  url: row.url,
  eventTypes: row.eventTypes,
  description: row.description,
  status: row.status,
  previousSecretUntil: overlapEnd(row, now)?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Until when the secret before the current one signs too; null if it does not. */
export const overlapEnd = ({ secretBeforeUntil: until }: Pick<WebhookRow, 'secretBeforeUntil'>, now: Date) =>
  until !== null && until > now ? until : null;

const cellOf = (endpointId: string, column: 'secret_sealed' | 'secret_before'): Cell => ({
  table: 'developers_webhook',
  column,
  row: endpointId,
});

/** Generates a signing secret: `svc_wh_` and 43 random characters. The HMAC key is the whole text, prefix included. */
export function newSecret(vault: Vault, endpointId: string): { secret: string; sealed: Buffer } {
  const secret = `svc_wh_${randomToken(43)}`;
  return { secret, sealed: vault.seal(secret, cellOf(endpointId, 'secret_sealed')) };
}

/** Decrypts a signing secret. */
export const openSecret = (vault: Vault, endpointId: string, sealed: Buffer): string =>
  vault.open(sealed, cellOf(endpointId, 'secret_sealed')).toString('utf8');

/** Encrypts the current secret as the one before. */
export const sealBefore = (vault: Vault, { id, secretSealed }: Pick<WebhookRow, 'id' | 'secretSealed'>): Buffer =>
  vault.seal(openSecret(vault, id, secretSealed), cellOf(id, 'secret_before'));

/** Decrypts the secret before the current one. */
export const openBefore = (vault: Vault, endpointId: string, sealed: Buffer): string =>
  vault.open(sealed, cellOf(endpointId, 'secret_before')).toString('utf8');

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
