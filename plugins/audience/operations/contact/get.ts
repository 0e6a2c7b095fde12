import { defineOperation } from '#core/kernel/operation.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { explainRule } from '#core/messaging/blocked.js';
import { exampleConsent, exampleContact } from '../../examples.js';
import { Consent, Contact, Suppression } from '../../resources.js';
import { currentConsents } from '../../consents/list.js';
import { findContact } from '../../contacts/find.js';
import { externalId, contactSelector } from '../../contacts/input.js';
import { presentContact } from '../../contacts/present.js';
import { reachList, reachOf } from '../../eligibility/reach.js';
import { presentSuppression } from '../../suppressions/present.js';
import { activeSuppressions } from '../../suppressions/store.js';

const reachable = { reachable: true, reason: null, since: null, recordId: null, fix: null };

export default defineOperation({
  name: 'audience.contact.get',
  summary: 'Returns a contact with its current consents and suppressions, and whether it can be reached now.',
  description:
    '`reach` states for each channel and topic whether the contact can be sent a message now, by the same rules as sending, and if not, which rule and record block it.',
  keywords: 'find look up person customer user reachable why not blocked eligible',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  namedItems: { id: 'contactId', names: ['email', 'phone', 'externalId'], found: 'contact.id' },
  input: object(
    { ...contactSelector, externalId: optional(externalId) },
    { exactlyOneOf: ['contactId', 'email', 'phone', 'externalId'] },
  ),
  output: object({ contact: Contact, consents: list(Consent), suppressions: list(Suppression), reach: reachList }),
  example: {
    input: { email: exampleContact.email },
    output: {
      contact: exampleContact,
      consents: [exampleConsent],
      suppressions: [],
      reach: [
        { channel: 'email', topic: null, ...reachable },
        { channel: 'email', topic: exampleConsent.topic, ...reachable },
        { channel: 'sms', topic: null, ...reachable },
        {
          channel: 'sms',
          topic: exampleConsent.topic,
          reachable: false,
          reason: 'never_asked',
          since: null,
          recordId: null,
          fix: explainRule('never_asked', 'sms').fix,
        },
      ],
    },
  },

  async handle(selector, context) {
    const { db, caller } = context;
    const contact = await findContact(db, caller.environment, selector);
    const consents = await currentConsents(db, contact.id);
    const { email, phone, environmentId } = contact;
    const suppressions = [
      ...(email === null ? [] : await activeSuppressions(context, environmentId, 'email', email)),
      ...(phone === null ? [] : await activeSuppressions(context, environmentId, 'sms', phone)),
    ];
    return {
      contact: presentContact(contact),
      consents,
      suppressions: suppressions.map(presentSuppression),
      reach: await reachOf(context, contact, consents),
    };
  },
});
