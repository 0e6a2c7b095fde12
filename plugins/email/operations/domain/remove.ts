import { environmentsOf } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { describeReferences } from '#core/messaging/references.js';
import { withdrawWork } from '#core/runtime/work/queue.js';
import { recheckSenders } from '../../broadcasts/recheck-senders.js';
import { exampleRemoved } from '../../domains/examples.js';
import { presentDomain } from '../../domains/present.js';
import { domainQueue } from '../../domains/queue.js';
import { Domain, recordsWithCheck } from '../../domains/resources.js';
import { lockDomain } from '../../domains/store.js';
import { settings } from '../../deployment/settings.js';
import { domainKeys } from '../../tables/domain-key.js';
import { domains, type DomainRow } from '../../tables/domain.js';
import { referencesTo } from '../../senders/references.js';

export default defineOperation({
  name: 'email.domain.remove',
  summary: 'Removes a domain and its keys.',
  description:
    'Mail from it is no longer accepted. Refused while the default sender, an open broadcast or an active automation uses it, in the live or the test environment. Messages without a topic that were already accepted are still sent, unsigned. Messages with a topic fail after a day and broadcasts are held, unless the domain is verified again. Removing it again changes nothing.',
  keywords: 'delete',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  joined: recordsWithCheck,
  input: object({ domainId: uuid('The domain to remove.') }),
  output: object({ domain: Domain }),
  errors: ['domain_in_use'],
  events: ['email.domain.removed'],
  example: { input: { domainId: exampleRemoved.id }, output: { domain: exampleRemoved } },

  async handle({ domainId }, context) {
    const { db, caller, clock, deployment, fail, emit, audit } = context;
    const { row } = await lockDomain(db, caller, domainId);
    const hosts = deployment.settingsOf(settings);
    const { domain } = row;
    const removedAt = clock.now();
    audit({
      subject: { type: 'domain', id: domainId },
      summary: `Removed the sending domain ${domain}.`,
      changes: row.removedAt ? [] : [{ field: 'removedAt', from: null, to: removedAt.toISOString() }],
      unchanged: `the domain ${domain} was already removed.`,
    });
    if (row.removedAt) return { domain: presentDomain(row, [], hosts) };
    const environments = await environmentsOf(db, [caller.environment.projectId]);
    const users: string[] = [];
    for (const { id, kind } of environments) {
      const references = await referencesTo(db, [id], { kind: 'domain', target: domain });
      if (references.length > 0) users.push(`${describeReferences(references)} of the ${kind} environment`);
    }
    if (users.length > 0) throw fail.domain_in_use({ domain, users: users.join(', and by ') });
    const changes = { activeDomain: null, provenDomain: null, receiving: false, removedAt };
    const after: DomainRow = { ...row, ...changes };
    await db.update(domains, { id: domainId }, changes);
    await db.remove(domainKeys, { domainId });
    await withdrawWork(db, domainQueue, domainId);
    await recheckSenders(context, caller.environment, domain);
    const shown = presentDomain(after, [], hosts);
    emit('email.domain.removed', { subjectId: domainId, data: { domain: shown } });
    return { domain: shown };
  },
});
