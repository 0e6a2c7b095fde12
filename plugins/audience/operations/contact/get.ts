import { defineOperation } from '#core/kernel/operation.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { exampleConsent, exampleContact } from '../../examples.js';
import { Consent, Contact, Suppression } from '../../resources.js';
import { standingConsents } from '../../consents/list.js';
import { findContact } from '../../contacts/find.js';
import { externalId, whom } from '../../contacts/input.js';
import { presentContact } from '../../contacts/present.js';
import { presentSuppression } from '../../suppressions/present.js';
import { standingOf } from '../../suppressions/write.js';

export default defineOperation({
  name: 'audience.contact.get',
  summary: 'Show one contact with its current consents and suppressions.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object(
    { ...whom, externalId: optional(externalId) },
    { exactlyOneOf: ['contactId', 'email', 'phone', 'externalId'] },
  ),
  output: object({ contact: Contact, consents: list(Consent), suppressions: list(Suppression) }),
  example: {
    input: { email: exampleContact.email },
    output: { contact: exampleContact, consents: [exampleConsent], suppressions: [] },
  },

  async handle(whomever, context) {
    const { db, caller } = context;
    const contact = await findContact(db, caller.environment, whomever);
    const consents = await standingConsents(db, contact.id);
    const { email, phone, environmentId } = contact;
    const suppressions = [
      ...(email === null ? [] : await standingOf(context, environmentId, 'email', email)),
      ...(phone === null ? [] : await standingOf(context, environmentId, 'sms', phone)),
    ];
    return { contact: presentContact(contact), consents, suppressions: suppressions.map(presentSuppression) };
  },
});
