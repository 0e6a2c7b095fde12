import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import type { ErrorCode } from '#core/kernel/errors/errors.js';
import { directory } from '#plugins/account/ports.js';
import { readReturnPath } from '../bounces/return-path.js';
import { settings } from '../deployment/settings.js';
import type { Refusal } from './resources.js';

/** The destination of mail to an address. */
export type Route =
  /** It is the return path of one of our messages: bounces arrive there. */
  | { kind: 'return_path' }
  | { kind: 'environment'; environment: Environment }
  /** @property environment whose domain it is, if one is known */
  | {
      kind: 'refused';
      environment: Environment | null;
      reason: Extract<Refusal, 'unknown_recipient' | 'receiving_off'>;
    };

/**
 * Finds the environment that an envelope recipient belongs to, by its domain only:
 * - a verified domain with receiving on: its live environment;
 * - the project's own domain, `<slug>.<SVC_MAIL_DOMAIN>`: the live environment;
 * - `test.<slug>.<SVC_MAIL_DOMAIN>`: the test environment, which has no domains.
 * @param address as `parseAddress` returns it
 */
export async function routeOf(
  { db, use, vault, deployment }: Pick<ReadContext<ErrorCode>, 'db' | 'use' | 'vault' | 'deployment'>,
  address: string,
): Promise<Route> {
  if (readReturnPath(vault, address)) return { kind: 'return_path' };
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const [own] = await db.rows<EnvironmentColumns & { receiving: number }>(
    `SELECT d.receiving, ${environmentColumns} FROM email_domain d JOIN svc_environment e ON e.id = d.environment_id
     WHERE d.proven_domain = ?`,
    [Buffer.from(domain)],
  );
  if (own) {
    const environment = environmentFrom(own);
    if (own.receiving === 1) return { kind: 'environment', environment };
    return { kind: 'refused', environment, reason: 'receiving_off' };
  }
  const base = `.${deployment.settingsOf(settings).mailDomain}`;
  const [, isTest, slug] = domain.endsWith(base)
    ? (/^(test\.)?([^.]+)$/.exec(domain.slice(0, -base.length)) ?? [])
    : [];
  const project = slug === undefined ? null : await use(directory).environmentsOfSlug(slug);
  if (project) return { kind: 'environment', environment: isTest === undefined ? project.live : project.test };
  return { kind: 'refused', environment: null, reason: 'unknown_recipient' };
}
