import { defineOperation } from '#core/kernel/operation.js';
import { list, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { exampleConsentRecord } from '../../examples.js';
import { channel, ConsentRecord, topicKey } from '../../resources.js';
import { consentPage } from '../../consents/list.js';
import { wasErased } from '../../contacts/erase.js';
import { findContact } from '../../contacts/find.js';
import { findTopic } from '../../topics/find.js';

export default defineOperation({
  name: 'audience.consent.list',
  summary: 'Lists the consent records of one contact or of all contacts, newest first.',
  description: 'Records never change. Those of deleted contacts are kept, without anything that identifies the person.',
  keywords: 'subscriptions proof agreed',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    contactId: optional(uuid('Only records of this contact.')),
    topic: optional(topicKey),
    channel: optional(channel),
    ...page,
  }),
  output: object({ consents: list(ConsentRecord), nextBefore }),
  example: { input: {}, output: { consents: [exampleConsentRecord], nextBefore: null } },

  async handle({ before, limit, ...filter }, { db, caller }) {
    const { contactId, topic } = filter;
    if (topic !== undefined) await findTopic(db, caller.environment.id, topic);
    // The records of erased contacts are kept.
    if (contactId !== undefined && !(await wasErased(db, caller.environment.id, contactId)))
      await findContact(db, caller.environment, { contactId });
    const { consents, next } = await consentPage(db, caller.environment.id, filter, { before, limit });
    return { consents, nextBefore: next };
  },
});
