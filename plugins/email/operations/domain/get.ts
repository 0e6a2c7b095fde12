import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleVerified } from '../../domains/examples.js';
import { presentDomain } from '../../domains/present.js';
import { Domain, recordsWithCheck } from '../../domains/resources.js';
import { findDomain } from '../../domains/store.js';
import { settings } from '../../deployment/settings.js';

export default defineOperation({
  name: 'email.domain.get',
  summary: 'Returns a domain with its DNS records and what the last check found for each.',
  keywords: 'dkim spf dmarc dns',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  joined: recordsWithCheck,
  input: object({ domainId: uuid('The domain’s id.') }),
  output: object({ domain: Domain }),
  example: { input: { domainId: exampleVerified.id }, output: { domain: exampleVerified } },

  async handle({ domainId }, { db, caller, deployment }) {
    const { row, keys } = await findDomain(db, caller, domainId);
    return { domain: presentDomain(row, keys, deployment.settingsOf(settings)) };
  },
});
