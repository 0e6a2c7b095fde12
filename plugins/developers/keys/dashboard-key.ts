import type { Environment } from '#core/kernel/caller/caller.js';
import type { FoundKey } from '#core/kernel/caller/authenticator.js';
import { publicPermission } from '#core/kernel/caller/permissions.js';
import type { WorkerServices } from '#core/kernel/services.js';
import { sha256, tokenOfOwnShard } from '#core/runtime/secrets/digest.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { dashboard } from '#plugins/account/ports.js';

/*
 * The publishable key of the environment that members sign in to. It is derived from the deployment's root key, so that
 * it can be shown to everyone (/openapi.json), and has no row: it does not appear in lists, and no call revokes or
 * limits it.
 */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 40 characters of [A-Za-z0-9] from 32 bytes. */
function lettersOf(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let letters = '';
  while (letters.length < 40) {
    letters += alphabet.charAt(Number(rest % 62n));
    rest /= 62n;
  }
  return letters;
}

/**
 * The key's plaintext. It is the same on every node and after every start. The vault derives it by HKDF with a separate
 * use.
 */
export const dashboardKeyText = (vault: Vault, environmentId: string): string =>
  `svc_live_pk${tokenOfOwnShard(lettersOf(vault.digest(environmentId, { table: 'developers_key', column: 'dashboard' })))}`;

const foundKey = (environment: Environment): FoundKey => ({
  id: environment.id,
  name: 'Dashboard',
  lineage: environment.id,
  memberId: null,
  role: 'viewer',
  permissions: [publicPermission],
  publishable: true,
  allowedOrigins: null,
  revoked: false,
  updateOperation: 'developers.key.update',
  createOperation: 'developers.key.create',
  environment,
});

type Reader = Pick<WorkerServices, 'read' | 'vault'>;

const environmentOf = ({ read }: Reader): Promise<Environment | null> =>
  read('Dashboard key', ({ use }) => use(dashboard).environment());

/**
 * Recognises the key by its digest.
 * @returns null for any other key, and without a dashboard
 */
export function dashboardKeyFinder(services: Reader): (digest: Buffer) => Promise<FoundKey | null> {
  let known: { digest: Buffer; key: FoundKey } | undefined;
  return async (digest) => {
    if (!known) {
      const environment = await environmentOf(services);
      if (!environment) return null;
      known = { digest: sha256(dashboardKeyText(services.vault, environment.id)), key: foundKey(environment) };
    }
    return known.digest.equals(digest) ? known.key : null;
  };
}

/** For /openapi.json: where programs, such as `svc login`, sign people in to the dashboard. */
export async function describeDashboard(services: Reader): Promise<Readonly<Record<string, unknown>>> {
  const environment = await environmentOf(services);
  if (!environment) return {};
  const publishableKey = dashboardKeyText(services.vault, environment.id);
  return { 'x-svc-dashboard': { environmentId: environment.id, publishableKey } };
}
