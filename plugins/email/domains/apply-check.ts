import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { recheckSenders } from '../broadcasts/recheck-senders.js';
import { settings } from '../deployment/settings.js';
import { domainKeys, type DomainKeyRow, keyName } from '../tables/domain-key.js';
import { domains, type DomainRow, type DomainCheckValue } from '../tables/domain.js';
import { warnOwners } from './owners-mail.js';
import { matchReplacedKey } from './match.js';
import { presentDomain } from './present.js';
import { rotateKeys, signingKeys } from './rotation.js';
import { failsAt } from '../tables/domain-statuses.js';
import type { LoadedDomain } from './store.js';

type CheckEvent = 'email.domain.verified' | 'email.domain.active' | 'email.domain.pending' | 'email.domain.failed';

/** The domain after a check, and what prevents it from being verified: another environment that has verified it. */
interface AppliedCheck {
  readonly loaded: LoadedDomain;
  readonly taken: boolean;
  /** As it is stored: for keys that this check replaced, it already contains what the next check will find. */
  readonly check: DomainCheckValue;
}

/**
 * Stores the result of a check: the new status, which keys resolve, the events, and the mail to owners. The caller has
 * locked the domain's row.
 * @throws the duplicate of the index `proven` if another environment verifies the domain at the same moment
 */
export async function applyCheck(
  context: Context<CheckEvent>,
  environment: Environment,
  { row, keys }: LoadedDomain,
  looked: DomainCheckValue,
): Promise<AppliedCheck> {
  const { db, clock, deployment, emit } = context;
  const now = clock.now();
  const taken = looked.ok && (await isTaken(context, row));
  // Giving a domain up and deleting keys cannot be undone: both wait until the time can be trusted.
  const mayEnd = clock.isTrusted();
  const changes = changesOf(row, looked.ok && !taken, { now, mayEnd });
  const resolved = new Map(looked.records.map(({ name, ok }) => [name, ok]));
  const { kept, expired } = rotateKeys(
    keys.map((key) => ({ ...key, resolved: resolved.get(keyName(key.selector, row.domain)) === true })),
    { now, mayEnd },
  );
  const check = withReplacedKeys(looked, kept, row.domain);
  const after: DomainRow = { ...row, lastCheck: check, lastCheckedAt: now, ...changes };
  const { lastCheck, lastCheckedAt, status, pendingSince, provenDomain, verifiedAt } = after;
  await db.update(
    domains,
    { id: row.id },
    { lastCheck, lastCheckedAt, status, pendingSince, provenDomain, verifiedAt },
  );
  for (const { domainId, selector, resolved: isResolved, replacedAt } of kept)
    await db.update(domainKeys, { domainId, selector }, { resolved: isResolved, replacedAt });
  for (const { domainId, selector } of expired) await db.remove(domainKeys, { domainId, selector });
  const domain = presentDomain(after, kept, deployment.settingsOf(settings));
  const report = (name: CheckEvent): string => emit(name, { subjectId: row.id, data: { domain } }, environment);
  if (status !== row.status && context.caller.kind === 'system')
    context.auditOwn(environment, {
      operation: 'email.domain.verify',
      subject: { type: 'domain', id: row.id },
      summary: `Checked the records of ${row.domain}: the domain is ${status}.`,
      changes: [{ field: 'status', from: row.status, to: status }],
    });
  if (status !== row.status) {
    report(`email.domain.${status}`);
    if (status === 'verified' && row.provenDomain === null) report('email.domain.active');
  }
  const isUsed = row.provenDomain !== null;
  if (isUsed && (signingKeys(kept).length === 0 || provenDomain === null))
    await recheckSenders(context, environment, row.domain);
  await warnOwners(context, environment, { row, keys }, { row: after, keys: kept }, domain);
  return { loaded: { row: after, keys: kept }, taken, check };
}

/**
 * A check in which the records of replaced keys need not be published: only a check shows that the newer ones resolve.
 */
function withReplacedKeys(check: DomainCheckValue, keys: readonly DomainKeyRow[], domain: string): DomainCheckValue {
  const replaced = keys
    .filter(({ replacedAt }) => replacedAt !== null)
    .map(({ selector }) => keyName(selector, domain));
  const records = check.records.map((record) =>
    replaced.includes(record.name) ? { ...record, fix: matchReplacedKey(record).fix } : record,
  );
  return { ...check, records };
}

/**
 * Whether another environment has the domain. If so, the records of that environment's domain are checked immediately,
 * because they can no longer resolve as it needs them.
 */
async function isTaken({ db, clock }: Pick<Context, 'db' | 'clock'>, { domain, id }: DomainRow): Promise<boolean> {
  const other = await db.findOne(domains, { provenDomain: domain });
  if (!other || other.id === id) return false;
  const now = clock.now();
  await db.run('UPDATE email_domain_queue SET due_at = ? WHERE id = ? AND leased = 0 AND due_at > ?', [
    now,
    idBytes(other.id),
    now,
  ]);
  return true;
}

type Changes = Partial<Pick<DomainRow, 'status' | 'pendingSince' | 'provenDomain' | 'verifiedAt'>>;

function changesOf(
  { status, domain, pendingSince }: DomainRow,
  ok: boolean,
  { now, mayEnd }: { now: Date; mayEnd: boolean },
): Changes {
  if (ok)
    return status === 'verified'
      ? {}
      : { status: 'verified', pendingSince: null, provenDomain: domain, verifiedAt: now };
  if (status === 'verified') return { status: 'pending', pendingSince: now };
  if (status === 'failed' || pendingSince === null) return {};
  // It became pending while the clock was ahead.
  if (pendingSince > now) return { pendingSince: now };
  return mayEnd && now >= failsAt(pendingSince) ? { status: 'failed', pendingSince: null, provenDomain: null } : {};
}
