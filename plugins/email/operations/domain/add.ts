import { newFields } from '#core/kernel/audit/changes.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { perEnvironment } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { shift } from '#core/runtime/clock.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import { exampleDomain } from '../../domains/examples.js';
import { keyRow, makeKeys } from '../../domains/keys.js';
import { presentDomain } from '../../domains/present.js';
import { domainQueue, firstCheckMs } from '../../domains/queue.js';
import { Domain, recordsWithCheck } from '../../domains/resources.js';
import { keysOf, domainKeys } from '../../tables/domain-key.js';
import { settings } from '../../deployment/settings.js';
import { domains, type DomainRow } from '../../tables/domain.js';
import { parse } from 'tldts';
import { domainOf, parseAddress } from '#core/kernel/schema/email-address.js';

const maxDomains = 200;

export default defineOperation({
  name: 'email.domain.add',
  summary: 'Adds a sending domain, generates its DKIM key pair and returns the DNS records to publish.',
  description:
    'Publish the DNS records in `records`, then call email.domain.verify. Only live environments have domains; each one also serves the test environment of its project. Adding a domain again returns it unchanged. An environment has at most 200 domains.',
  keywords: 'dkim spf dmarc dns custom sender identity own',
  access: 'secret',
  liveOnly: true,
  limits: [
    perEnvironment({
      name: 'email.domain.add',
      max: 120,
      windowSeconds: 3_600,
      description: '120 per hour per environment',
    }),
  ],
  followUp: { operation: 'email.domain.verify', input: { domainId: 'domain.id' } },
  joined: recordsWithCheck,
  input: object({ domain: text('A bare domain name, such as example.com.', { minLength: 1, maxLength: 300 }) }),
  output: object({ domain: Domain }),
  errors: ['invalid_domain', 'domain_taken', 'provider_failed', 'limit_reached'],
  events: ['email.domain.added', 'email.domain.registered'],
  example: { input: { domain: exampleDomain.domain }, output: { domain: exampleDomain } },

  /** Outside the transaction: an RSA key takes a tenth of a second or more. */
  async prepare(input, { db, caller, deployment, fail }) {
    const parsed = parseDomain(input.domain, deployment.settingsOf(settings).mailDomain);
    if (!parsed.ok) throw fail.invalid_domain({ domain: input.domain, problem: parsed.problem });
    const { domain } = parsed;
    if (await findActive(db, caller.environment.id, domain)) return { domain, keys: [] };
    const keys = await makeKeys().catch((error: unknown) => {
      throw fail.provider_failed({
        provider: 'OpenSSL',
        problem: String(error),
        nextStep: 'Call email.domain.add again.',
      });
    });
    return { domain, keys };
  },

  async handle(_, { db, caller, clock, vault, deployment, fail, emit, audit, prepared: { domain, keys } }) {
    const { environment } = caller;
    const hosts = deployment.settingsOf(settings);
    await lockEnvironment(db, environment.id);
    const known = await findActive(db, environment.id, domain);
    if (known) {
      audit({
        subject: { type: 'domain', id: known.id },
        summary: '',
        changes: [],
        unchanged: `the domain ${domain} was already registered.`,
      });
      return { domain: presentDomain(known, await keysOf(db, [known.id]), hosts) };
    }
    if ((await db.count(domains, { provenDomain: domain })) > 0) throw fail.domain_taken({ domain });
    if ((await countActive(db, environment.id)) >= maxDomains)
      throw fail.limit_reached({
        limit: maxDomains,
        things: 'sending domains in this environment',
        nextStep: 'Remove a domain that is no longer needed with email.domain.remove, then call again.',
      });
    const now = clock.now();
    const row: DomainRow = {
      id: newId(),
      environmentId: environment.id,
      domain,
      activeDomain: domain,
      provenDomain: null,
      status: 'pending',
      receiving: false,
      pendingSince: now,
      lastCheck: null,
      lastCheckedAt: null,
      verifiedAt: null,
      createdAt: now,
      removedAt: null,
    };
    await db.insert(domains, row);
    await db.insert(
      domainKeys,
      keys.map((key) => keyRow(vault, row.id, key)),
    );
    const dueAt = shift(now, firstCheckMs);
    await db.defer(enqueueStatement(domainQueue, [{ id: row.id, partitionId: environment.id, lane: 'bulk', dueAt }]));
    const shown = presentDomain(row, keys, hosts);
    audit({
      subject: { type: 'domain', id: row.id },
      summary: `Registered the sending domain ${domain}.`,
      changes: newFields(shown, ['domain', 'status']),
    });
    emit('email.domain.added', { subjectId: row.id, data: { domain: shown } });
    emit('email.domain.registered', { subjectId: row.id, data: { domain: shown } });
    return { domain: shown };
  },
});

const findActive = (db: ReadSession, environmentId: string, domain: string): Promise<DomainRow | null> =>
  db.findOne(domains, { environmentId, activeDomain: domain });

async function countActive(db: ReadSession, environmentId: string): Promise<number> {
  const [row] = await db.rows<{ count: number }>(
    'SELECT COUNT(*) AS count FROM email_domain WHERE environment_id = ? AND removed_at IS NULL',
    [idBytes(environmentId)],
  );
  return row?.count ?? 0;
}

type ParsedDomain = { ok: true; domain: string } | { ok: false; problem: string };

/** Leaves room for the prefix `svc1._domainkey.` within the 253 octets of a name (RFC 1035 §2.3.4). */
const octets = 230;

/**
 * Reads a domain to send from.
 * @param text as a person typed it: without scheme, path, port or final dot; international names in either form
 * @param deploymentDomain SVC_MAIL_DOMAIN, whose names belong to the deployment
 * @returns the domain in lower case and ASCII, or the problem with it, as the end of a sentence
 */
function parseDomain(text: string, deploymentDomain: string): ParsedDomain {
  if (!text.includes('.')) return refused('it has no dot: a sending domain is a name such as example.com');
  const parsed = text.includes('@') ? { ok: false } : parseAddress(`postmaster@${text}`);
  if (!parsed.ok || !('address' in parsed))
    return refused('it must be a bare domain name such as example.com, without scheme, path, port or address');
  const domain = domainOf(parsed.address);
  if (domain.length > octets) return refused(`it is longer than ${octets} octets`);
  if (parse(domain, { allowPrivateDomains: true }).publicSuffix === domain)
    return refused('it is a public suffix, under which anyone can register names');
  if (domain === deploymentDomain || domain.endsWith(`.${deploymentDomain}`))
    return refused('it belongs to this deployment, where each project already has its own sending domain');
  return { ok: true, domain };
}

const refused = (problem: string): ParsedDomain => ({ ok: false, problem });
