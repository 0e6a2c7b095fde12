import type { Environment } from '#core/kernel/caller/caller.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idText } from '#core/runtime/id.js';
import { openKey } from '../domains/keys.js';
import { returnDomain } from '../domains/records.js';
import { signingKeys } from '../domains/rotation.js';
import { keysOf } from '../domains/store.js';
import { settings } from '../settings.js';
import { domains } from '../tables/domain.js';
import { readOwnKey } from './own-key.js';
import type { Signer } from './sign-thread.js';

/** What mail from a domain is sent with. */
export interface SendingDomain {
  /** Empty: its mail is not signed. */
  readonly signers: readonly Signer[];
  /** The domain’s own subdomain for bounces; undefined where it has none that resolves. */
  readonly returnDomain: string | undefined;
}

type Stored = SendingDomain & { readonly projectId: string };

const nothing: SendingDomain = { signers: [], returnDomain: undefined };
/** Milliseconds for which a domain is not read again: after a check, or its removal, mail follows as soon as that. */
const keptMs = 5_000;
const maxKept = 10_000;

/**
 * Creates the function that finds what mail from an address is sent with: the newest keys of its verified domain whose records resolve, or, under
 * the deployment's own domain, SVC_MAIL_DKIM_KEY.
 */
export function sendingDomains({
  database,
  vault,
  deployment,
}: Pick<WorkerServices, 'database' | 'vault' | 'deployment'>): (
  environment: Environment,
  from: string,
) => Promise<SendingDomain> {
  const { mailDomain, mailReturnHost, mailDkimKey, mailDkimSelector } = deployment.settingsOf(settings);
  const own: SendingDomain =
    mailDkimKey === undefined
      ? nothing
      : {
          signers: [{ domain: mailDomain, selector: mailDkimSelector, ...readOwnKey(mailDkimKey) }],
          returnDomain: undefined,
        };
  const kept = new Map<string, { readonly until: number; readonly found: Promise<Stored | null> }>();

  const load = async (domain: string): Promise<Stored | null> => {
    const [found] = await database.rows<{ project_id: Buffer } & object>(
      `SELECT ${domains.columnList('d')}, e.project_id FROM email_domain d
       JOIN svc_environment e ON e.id = d.environment_id WHERE d.proven_domain = ?`,
      [Buffer.from(domain)],
    );
    if (!found) return null;
    const row = domains.decode(found);
    const keys = signingKeys(await keysOf(database, [row.id]));
    const bounces = returnDomain(domain);
    const isReturnPath = row.lastCheck?.records.some(({ type, name, ok }) => type === 'MX' && name === bounces && ok);
    return {
      projectId: idText(found.project_id),
      signers: keys.map((key) => ({
        domain,
        selector: key.selector,
        algorithm: key.algorithm,
        privateKey: openKey(vault, key),
      })),
      returnDomain: mailReturnHost !== undefined && isReturnPath === true ? bounces : undefined,
    };
  };

  const find = (domain: string): Promise<Stored | null> => {
    const known = kept.get(domain);
    if (known && known.until > performance.now()) return known.found;
    if (kept.size >= maxKept) kept.clear();
    const found = load(domain);
    kept.set(domain, { until: performance.now() + keptMs, found });
    found.catch(() => kept.delete(domain));
    return found;
  };

  return async (environment, from) => {
    const domain = domainOf(from);
    if (domain === mailDomain || domain.endsWith(`.${mailDomain}`)) return own;
    const found = await find(domain);
    // A message that was accepted while another project had the domain is not signed with this one's keys.
    return found?.projectId === environment.projectId ? found : nothing;
  };
}
