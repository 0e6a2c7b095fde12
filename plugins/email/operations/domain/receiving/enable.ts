import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleReceiving } from '../../../domains/examples.js';
import { Domain, recordsWithCheck } from '../../../domains/resources.js';
import { setReceiving } from '../../../domains/set-receiving.js';
import { lockPresentDomain } from '../../../domains/store.js';

export default defineOperation({
  name: 'email.domain.receiving.enable',
  summary: 'Turns on inbound mail for the domain and adds its MX record to the DNS records to publish.',
  description:
    'Publish the MX record that is now in `records`. From then on, all mail to the domain is received here. If people have mailboxes on the domain, add a subdomain such as inbound.example.com instead.',
  keywords: 'mx incoming receive reply',
  access: 'secret',
  impact: { retrySafe: true },
  joined: recordsWithCheck,
  input: object({ domainId: uuid('The domain that starts receiving mail.') }),
  output: object({ domain: Domain }),
  errors: ['domain_not_verified'],
  events: ['email.domain.receiving_enabled'],
  example: { input: { domainId: exampleReceiving.id }, output: { domain: exampleReceiving } },

  async handle({ domainId }, context) {
    const { db, caller, fail, emit } = context;
    const loaded = await lockPresentDomain(db, caller, domainId);
    const { domain: name, provenDomain, receiving } = loaded.row;
    if (provenDomain === null && !receiving) throw fail.domain_not_verified({ domain: name });
    const { domain, changed } = await setReceiving(context, loaded, true);
    if (changed) emit('email.domain.receiving_enabled', { subjectId: domainId, data: { domain } });
    return { domain };
  },
});
