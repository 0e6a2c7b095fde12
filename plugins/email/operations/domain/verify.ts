import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { createDnsResolver, DnsFailure } from '../../dns-resolver.js';
import { applyCheck } from '../../domains/apply-check.js';
import { checkRecords } from '../../domains/check.js';
import { exampleCheck, exampleVerified } from '../../domains/examples.js';
import { presentDomain } from '../../domains/present.js';
import { expectedRecords } from '../../domains/records.js';
import { Domain, DomainCheck, recordsWithCheck } from '../../domains/resources.js';
import { findDomain, lockPresentDomain } from '../../domains/store.js';
import { settings } from '../../deployment/settings.js';

export default defineOperation({
  name: 'email.domain.verify',
  summary: 'Looks up every required DNS record now and reports the result for each.',
  description:
    'The domain becomes verified once every required record resolves. Domains are also checked automatically: every hour while pending, and every day while verified or failed. If a required record of a verified domain goes missing, the domain becomes pending, and fails after 72 hours; until then, mail from it is accepted. While no DKIM record resolves, mail with a topic waits, and other mail is sent unsigned.',
  keywords: 'check dkim spf dmarc dns',
  access: 'secret',
  impact: { retrySafe: true },
  joined: { ...recordsWithCheck, from: ['check.records', 'domain.lastCheck.records'] },
  input: object({ domainId: uuid('The domain to check.') }),
  output: object({ domain: Domain, check: DomainCheck }),
  errors: ['dns_lookup_failed', 'domain_taken'],
  events: ['email.domain.verified', 'email.domain.active', 'email.domain.pending', 'email.domain.failed'],
  example: {
    input: { domainId: exampleVerified.id },
    output: { domain: exampleVerified, check: exampleCheck },
  },

  /** Outside the transaction: a name server may take seconds. */
  async prepare({ domainId }, { db, caller, clock, deployment, fail }) {
    const { row, keys } = await findDomain(db, caller, domainId);
    const hosts = deployment.settingsOf(settings);
    try {
      const resolver = createDnsResolver(hosts.dnsServers);
      return await checkRecords(resolver, expectedRecords(row, keys, hosts), clock.now());
    } catch (error) {
      if (error instanceof DnsFailure) throw fail.dns_lookup_failed({ name: error.hostname, code: error.code });
      throw error;
    }
  },

  async handle({ domainId }, context) {
    const { db, caller, deployment, fail, refuse, audit, prepared } = context;
    const before = await lockPresentDomain(db, caller, domainId);
    const { domain } = before.row;
    try {
      const { loaded, taken, check } = await applyCheck(context, caller.environment, before, prepared);
      if (taken) return refuse.domain_taken({ domain });
      const changes = changesBetween(before.row, loaded.row, ['status']);
      audit({
        subject: { type: 'domain', id: domainId },
        summary: `Checked the DNS records of ${domain}; the domain is ${loaded.row.status}.`,
        changes,
        unchanged: `the domain ${domain} stayed ${loaded.row.status}.`,
      });
      return { domain: presentDomain(loaded.row, loaded.keys, deployment.settingsOf(settings)), check };
    } catch (error) {
      if (isDuplicate(error, 'proven')) throw fail.domain_taken({ domain });
      throw error;
    }
  },
});
