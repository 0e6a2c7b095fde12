import { defineOperation } from '#core/kernel/operation.js';
import { filledText, list, object, optional } from '#core/kernel/schema/schema.js';
import { exampleConsentRecord, exampleContact } from '../../examples.js';
import { channel, ConsentRecord, topicKey } from '../../resources.js';
import { revokeTopics } from '../../consents/revoke-topics.js';
import { lockContact } from '../../contacts/find.js';
import { contactSelector } from '../../contacts/input.js';

export default defineOperation({
  name: 'audience.consent.revoke',
  summary: 'Appends revoked consent records, for one topic or for every topic on a channel.',
  description:
    'For an opt-out that you received elsewhere: by phone, by letter, in a shop. If a topic is already revoked, it stays as it is, and its record is returned.',
  keywords: 'unsubscribe person opt out optout newsletter news marketing withdraw stop',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(
    {
      ...contactSelector,
      topic: optional({ ...topicKey, description: 'If left out: every topic of the channel.' }),
      channel,
      source: filledText('Where the person opted out.', 200),
    },
    { exactlyOneOf: ['contactId', 'email', 'phone'] },
  ),
  output: object({ consents: list(ConsentRecord) }),
  events: ['audience.consent.revoked'],
  example: {
    input: { email: exampleContact.email, topic: 'news', channel: 'email', source: 'support call' },
    output: {
      consents: [
        { ...exampleConsentRecord, state: 'revoked' as const, source: 'support call', wording: null, ip: null },
      ],
    },
  },

  async handle({ contactId, email, phone, topic, channel: on, source }, context) {
    const { db, caller, audit } = context;
    const contact = await lockContact(db, caller.environment, { contactId, email, phone });
    const { consents, changes } = await revokeTopics(context, contact, {
      channel: on,
      topic: topic ?? null,
      source,
      ip: null,
    });
    audit({
      subject: { type: 'contact', id: contact.id },
      personId: contact.id,
      summary: topic === undefined ? `Revoked every consent on ${on}.` : `Revoked consent to ${topic} on ${on}.`,
      changes,
      unchanged:
        topic === undefined
          ? `every consent on ${on} was already revoked.`
          : `consent to ${topic} on ${on} was already revoked.`,
    });
    return { consents };
  },
});
