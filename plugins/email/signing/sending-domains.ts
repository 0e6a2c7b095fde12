import type { Environment } from '#core/kernel/caller/caller.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idText } from '#core/runtime/id.js';
import { createBatcher } from '#core/runtime/database/batcher.js';
import { openKey } from '../domains/keys.js';
import { returnDomain } from '../domains/records.js';
import { signingKeys } from '../domains/rotation.js';
import { keysOf, type DomainKeyRow } from '../tables/domain-key.js';
import { settings } from '../deployment/settings.js';
import { domains, type DomainRow } from '../tables/domain.js';
import { readOwnKey } from '../deployment/own-key.js';
import type { MessageRow } from '../tables/message.js';
import type { Signer } from './sign-thread.js';

/** The keys and return domain for mail from a domain. */
export interface SendingDomain {
  /** Empty: its mail is not signed. */
  readonly signers: readonly Signer[];
  /** Whether it is the deployment’s own domain, whose key the operator may omit. */
  readonly isOwn?: boolean;
  /** False if the project does not have the domain; it may have removed it since it sent the message. */
  readonly exists: boolean;
  /** The domain’s own subdomain for bounces; undefined if it has none that resolves. */
  readonly returnDomain: string | undefined;
}

type Stored = SendingDomain & { readonly projectId: string };

const nothing: SendingDomain = { exists: false, signers: [], returnDomain: undefined };

/**
 * Creates the function that finds the keys and return domain for mail from an address: the newest keys of its verified
 * domain whose records resolve, or, under the deployment's own domain, SVC_MAIL_DKIM_KEY.
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
      ? { ...nothing, exists: true, isOwn: true }
      : {
          exists: true,
          isOwn: true,
          signers: [{ domain: mailDomain, selector: mailDkimSelector, ...readOwnKey(mailDkimKey) }],
          returnDomain: undefined,
        };
  // Read for each message, but together for messages that are sent together: a committed check or removal applies to
  // all messages that are sent after it.
  const find = createBatcher(
    async (names: readonly string[]) => {
      const found = await load([...new Set(names)]);
      return names.map((name) => found.get(name) ?? null);
    },
    { maxItems: 200 },
  );

  const load = async (names: readonly string[]): Promise<Map<string, Stored>> => {
    const rows = await database.rows<{ project_id: Buffer } & object>(
      `SELECT ${domains.columnList('d')}, e.project_id FROM email_domain d
       JOIN svc_environment e ON e.id = d.environment_id WHERE d.proven_domain IN (?)`,
      [names.map((name) => Buffer.from(name))],
    );
    const found = rows.map((row) => ({ row: domains.decode(row), projectId: idText(row.project_id) }));
    const keys = await keysOf(
      database,
      found.map(({ row }) => row.id),
    );
    return new Map(
      found.map(({ row, projectId }) => [
        row.domain,
        {
          projectId,
          ...sendingDomainOf(
            row,
            keys.filter(({ domainId }) => domainId === row.id),
          ),
        },
      ]),
    );
  };

  const sendingDomainOf = ({ domain, lastCheck }: DomainRow, keys: readonly DomainKeyRow[]): SendingDomain => {
    const bounces = returnDomain(domain);
    const isReturnPath = lastCheck?.records.some(({ type, name, ok }) => type === 'MX' && name === bounces && ok);
    return {
      exists: true,
      signers: signingKeys(keys).map((key) => ({
        domain,
        selector: key.selector,
        algorithm: key.algorithm,
        privateKey: openKey(vault, key),
      })),
      returnDomain: mailReturnHost !== undefined && isReturnPath === true ? bounces : undefined,
    };
  };

  return async (environment, from) => {
    const domain = domainOf(from);
    if (domain === mailDomain || domain.endsWith(`.${mailDomain}`)) return own;
    const found = await find(domain);
    // A message that was accepted while another project had the domain is not signed with this one's keys.
    return found?.projectId === environment.projectId ? found : nothing;
  };
}

/**
 * Mail to subscribers offers one-click unsubscribing, which needs a signature (RFC 8058 §4); without one it waits
 * (retryAt).
 */
export const mustWaitForKey = (
  { topic, isSystem }: Pick<MessageRow, 'topic' | 'isSystem'>,
  { signers, isOwn }: SendingDomain,
): boolean => topic !== null && !isSystem && signers.length === 0 && isOwn !== true;
