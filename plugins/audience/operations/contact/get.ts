import { defineOperation } from '#core/kernel/operation.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { exampleConsent, exampleContact } from '../../examples.js';
import { Consent, Contact, Suppression } from '../../resources.js';
import { currentConsents } from '../../consents/list.js';
import { findContact } from '../../contacts/find.js';
import { externalId, contactSelector } from '../../contacts/input.js';
import { presentContact } from '../../contacts/present.js';
import { presentSuppression } from '../../suppressions/present.js';
import { activeSuppressions } from '../../suppressions/store.js';

export default defineOperation({
  name: 'audience.contact.get',
  summary: 'Show one contact with its current consents and suppressions.',
  keywords: 'find look up person customer user',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  namedItems: { id: 'contactId', names: ['email', 'phone', 'externalId'], found: 'contact.id' },
  input: object(
    { ...contactSelector, externalId: optional(externalId) },
    { exactlyOneOf: ['contactId', 'email', 'phone', 'externalId'] },
  ),
  output: object({ contact: Contact, consents: list(Consent), suppressions: list(Suppression) }),
  example: {
    input: { email: exampleContact.email },
    output: { contact: exampleContact, consents: [exampleConsent], suppressions: [] },
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
    return { contact: presentContact(contact), consents, suppressions: suppressions.map(presentSuppression) };
  },
});
