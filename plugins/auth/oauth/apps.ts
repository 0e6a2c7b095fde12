import type { Environment } from '#core/kernel/caller/caller.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { AuthSettingsValue } from '../settings/resources.js';
import { oauthApps, type OAuthAppRow } from '../tables/oauth-app.js';
import type { Client } from '../providers/provider.js';
import type { OAuthAppValue } from './resources.js';

const cellOf = (id: string) => ({ table: 'auth_oauth_app', column: 'client_secret', row: id });

export const sealClientSecret = (vault: Vault, id: string, secret: string): Buffer => vault.seal(secret, cellOf(id));

export const openClientSecret = (vault: Vault, { id, clientSecret }: OAuthAppRow): string | null =>
  clientSecret && vault.open(clientSecret, cellOf(id)).toString('utf8');

/** The address that the provider sends browsers back to: the environment’s callback page. */
export const callbackUrl = ({ baseUrl }: Deployment, { id }: Pick<Environment, 'id'>, provider: string): string =>
  `${baseUrl}/auth/${id}/callback/${provider}`;

/** An application as replies and events show it, without its secret. */
export const presentApp = (row: OAuthAppRow, deployment: Deployment): OAuthAppValue => ({
  provider: row.provider,
  name: row.name,
  clientId: row.clientId,
  issuer: row.issuer,
  scopes: row.scopes,
  enabled: row.enabled,
  callbackUrl: callbackUrl(deployment, { id: row.environmentId }, row.provider),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** The application of a provider, removed ones included. */
export const findAnyApp = (db: ReadSession, environmentId: string, provider: string): Promise<OAuthAppRow | null> =>
  db.findOne(oauthApps, { environmentId, provider });

/** The application of a provider; null if none is configured. */
export async function findApp(db: ReadSession, environmentId: string, provider: string): Promise<OAuthAppRow | null> {
  const row = await findAnyApp(db, environmentId, provider);
  return row?.removedAt === null ? row : null;
}

/** Whether users may sign in with the provider. Both the app and its method in the settings must be enabled. */
export const isUsable = (
  { enabled, provider }: OAuthAppRow,
  { methods }: Pick<AuthSettingsValue, 'methods'>,
): boolean => enabled && methods[provider]?.enabled !== false;

/** The application with its decrypted secret, for calls to the provider. */
export const clientOf = (row: OAuthAppRow, vault: Vault, deployment: Deployment): Client => ({
  provider: row.provider,
  clientId: row.clientId,
  clientSecret: openClientSecret(vault, row),
  issuer: row.issuer,
  scopes: row.scopes,
  callbackUrl: callbackUrl(deployment, { id: row.environmentId }, row.provider),
});
