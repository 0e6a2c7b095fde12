import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, nullable, object, optional, text, url } from '#core/kernel/schema/schema.js';
import { exampleContact, exampleToken } from '../../examples.js';
import { findContact } from '../../contacts/find.js';
import { whom } from '../../contacts/input.js';
import { preferencesAddress, sealLink } from '../../preferences/token.js';

export default defineOperation({
  name: 'audience.preferences.link',
  summary: 'Make a preferences address for one contact, to show inside your own product.',
  description: 'Whoever holds it can see and change the contact’s subscriptions. Without expiresAt it never expires.',
  access: 'secret',
  impact: { retrySafe: true },
  showsSecret: 'stored encrypted',
  input: object(
    { ...whom, expiresAt: optional(dateTime('When the address stops working.')) },
    { exactlyOneOf: ['contactId', 'email', 'phone'] },
  ),
  output: object({
    url: url('The hosted page.'),
    token: text('For audience.preferences.get and audience.preferences.set.'),
    expiresAt: nullable(dateTime()),
  }),
  example: {
    input: { email: exampleContact.email },
    output: { url: `https://svc.example.com/preferences?token=${exampleToken}`, token: exampleToken, expiresAt: null },
  },

  async handle({ expiresAt, ...named }, { db, caller, clock, vault, deployment, fail, audit }) {
    const until = expiresAt === undefined ? null : new Date(expiresAt);
    if (until && until <= clock.now()) {
      const problem = 'must lie in the future';
      throw fail.invalid_input({ field: 'expiresAt', problem, details: { field: 'expiresAt' } });
    }
    const contact = await findContact(db, caller.environment, named);
    const token = sealLink(vault, { contactId: contact.id, message: null, expiresAt: until });
    audit({
      subject: { type: 'contact', id: contact.id },
      personId: contact.id,
      summary: 'Made an address of the preferences page.',
    });
    return {
      url: preferencesAddress(deployment.baseUrl, token),
      token,
      expiresAt: until?.toISOString() ?? null,
    };
  },
});
