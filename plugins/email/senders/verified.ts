import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context, Reading } from '#core/kernel/context.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { settings } from '../deployment/settings.js';
import { domains, type DomainRow } from '../tables/domain.js';
import { markReferenced, freeReferences, type Referrer } from './references.js';
import { projectDomain } from './sender.js';

type Failing = { readonly fail: ErrorMakers<'sender_not_verified', SvcError> };

/**
 * Whether an environment may send from an address. The address must be on the project's own domain, or on a domain that
 * the project's live environment has verified, which its test environment may use too. A domain can still be used for
 * 72 hours after one of its records went missing.
 * @param from a bare address
 */
export async function isVerifiedSender(context: Reading, environment: Environment, from: string): Promise<boolean> {
  const domain = domainOf(from);
  if (domain === (await projectDomain(context, environment))) return true;
  return (await findProven(context.db, environment, domain, '')) > 0;
}

/**
 * Whether mail under a topic may be sent from an address now: `isVerifiedSender`, and a DKIM record of its domain
 * resolves, so that the mail is signed (RFC 8058 §4). This is not required of mail from the deployment's own domain:
 * its key is the operator's.
 */
export async function isSignedSender(context: Reading, environment: Environment, from: string): Promise<boolean> {
  const domain = domainOf(from);
  if (domain === (await projectDomain(context, environment))) return true;
  return (await provenDomain(context.db, environment, { domain, isSigned: true })) !== null;
}

/** @throws sender_not_verified unless `isVerifiedSender` */
export async function requireVerifiedSender(
  context: Reading & Failing,
  environment: Environment,
  from: string,
): Promise<void> {
  if (!(await isVerifiedSender(context, environment, from))) await refuse(context, environment, from);
}

/**
 * Records that an open broadcast or automation sends from an address, so that email.domain.remove is refused until
 * `freeDomain`. The project's own domain cannot be removed and is not recorded.
 * @throws sender_not_verified unless the environment may send from it
 */
export async function markDomainReferenced(
  context: Pick<Context, 'use' | 'deployment' | 'db'> & Failing,
  environment: Environment,
  from: string,
  referrer: Referrer,
): Promise<void> {
  const domain = domainOf(from);
  if (domain === (await projectDomain(context, environment))) return;
  // Locked in the same way as in the removal: either the removal sees the reference, or the reference is refused.
  if ((await findProven(context.db, environment, domain, ' LOCK IN SHARE MODE')) === 0)
    await refuse(context, environment, from);
  await markReferenced(context.db, environment.id, { kind: 'domain', target: domain }, referrer);
}

/** Removes the references that `markDomainReferenced` recorded. */
export const freeDomain = (db: Session, referrerId: string): Promise<void> => freeReferences(db, referrerId, 'domain');

async function findProven(
  db: ReadSession,
  { projectId }: Environment,
  domain: string,
  locking: '' | ' LOCK IN SHARE MODE',
): Promise<number> {
  const rows = await db.rows(
    `SELECT id FROM email_domain WHERE proven_domain = ?
     AND environment_id IN (SELECT id FROM svc_environment WHERE project_id = ?)${locking}`,
    [Buffer.from(domain), idBytes(projectId)],
  );
  return rows.length;
}

async function refuse(context: Reading & Failing, environment: Environment, from: string): Promise<never> {
  throw context.fail.sender_not_verified({ from, domain: await usableDomain(context, environment) });
}

/**
 * A domain to recommend for mail under a topic: the project's newest verified domain that is signed, else the project's
 * own domain, if that is signed too, or if nothing leaves the local mailbox.
 * @returns null if mail from neither would be signed
 */
export async function signedDomain(context: Reading, environment: Environment): Promise<string | null> {
  const newest = await provenDomain(context.db, environment, { isSigned: true });
  if (newest) return newest.domain;
  const { mailDkimKey, smtpUrl } = context.deployment.settingsOf(settings);
  return mailDkimKey !== undefined || smtpUrl === undefined ? projectDomain(context, environment) : null;
}

/** A domain to recommend: the project's newest verified one, else the project's own domain. */
async function usableDomain(context: Reading, environment: Environment): Promise<string> {
  const newest = await provenDomain(context.db, environment, { isSigned: true });
  return newest?.domain ?? projectDomain(context, environment);
}

/**
 * The newest domain that a project sends from.
 * @param only `domain`: only that one; `isSigned`: only domains of which a DKIM record resolves
 */
export async function provenDomain(
  db: ReadSession,
  { projectId }: Pick<Environment, 'projectId'>,
  only: { readonly domain?: string; readonly isSigned?: true } = {},
): Promise<DomainRow | null> {
  const [row] = await db.rows<object>(
    `SELECT ${domains.columnList('d')} FROM email_domain d WHERE d.proven_domain ${only.domain === undefined ? 'IS NOT NULL' : '= ?'}
     AND d.environment_id IN (SELECT id FROM svc_environment WHERE project_id = ?)${only.isSigned ? ' AND EXISTS (SELECT 1 FROM email_domain_key k WHERE k.domain_id = d.id AND k.resolved = 1)' : ''}
     ORDER BY d.created_at DESC, d.id DESC LIMIT 1`,
    [...(only.domain === undefined ? [] : [Buffer.from(only.domain)]), idBytes(projectId)],
  );
  return row ? domains.decode(row) : null;
}
