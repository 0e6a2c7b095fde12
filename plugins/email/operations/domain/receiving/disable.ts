import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleVerified } from '../../../domains/examples.js';
import { Domain, recordsWithCheck } from '../../../domains/resources.js';
import { setReceiving } from '../../../domains/set-receiving.js';
import { lockPresentDomain } from '../../../domains/store.js';

export default defineOperation({
  name: 'email.domain.receiving.disable',
  summary: 'Turns off inbound mail for the domain.',
  description: 'Remove its MX record from DNS first: mail that still arrives is refused.',
  keywords: 'mx incoming receive reply',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  joined: recordsWithCheck,
  input: object({ domainId: uuid('The domain that stops receiving mail.') }),
  output: object({ domain: Domain }),
  events: ['email.domain.receiving_disabled'],
  example: { input: { domainId: exampleVerified.id }, output: { domain: exampleVerified } },

  async handle({ domainId }, context) {
    const { db, caller, emit } = context;
    const { domain, changed } = await setReceiving(context, await lockPresentDomain(db, caller, domainId), false);
    if (changed) emit('email.domain.receiving_disabled', { subjectId: domainId, data: { domain } });
    return { domain };
  },
});
