import { withheld } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { futureDate } from '#core/kernel/schema/future-date.js';
import { dateTime, nullable, object, optional, text, url } from '#core/kernel/schema/schema.js';
import { exampleContact, exampleToken } from '../../examples.js';
import { findContact } from '../../contacts/find.js';
import { contactSelector } from '../../contacts/input.js';
import { pageUrl, sealLink } from '../../preferences/token.js';

export default defineOperation({
  name: 'audience.preferences.link',
  summary: 'Creates a link to a contact’s preferences page, to show inside your own product.',
  description:
    'Anyone who has the link can see and change the contact’s subscriptions. Without expiresAt, it never expires.',
  keywords: 'unsubscribe manage subscriptions center centre',
  access: 'secret',
  impact: { retrySafe: true },
  showsSecret: 'stored encrypted',
  input: object(
    { ...contactSelector, expiresAt: optional(dateTime('When the link expires.')) },
    { exactlyOneOf: ['contactId', 'email', 'phone'] },
  ),
  output: object({
    url: url('The URL of the preferences page.'),
    token: text('For audience.preferences.get and audience.preferences.set.'),
    expiresAt: nullable(dateTime('When the link expires; null if never.')),
  }),
  example: {
    input: { email: exampleContact.email },
    output: { url: `https://svc.example.com/preferences?token=${exampleToken}`, token: exampleToken, expiresAt: null },
  },

  async handle({ expiresAt, ...selector }, { db, caller, clock, vault, deployment, audit }) {
    const expiry = expiresAt === undefined ? null : futureDate(expiresAt, 'expiresAt', clock.now());
    const contact = await findContact(db, caller.environment, selector);
    const { id: contactId, emailDigest } = contact;
    const address = emailDigest ? { addressDigest: emailDigest } : {};
    const token = sealLink(vault, { contactId, message: null, expiresAt: expiry, ...address });
    audit({
      subject: { type: 'contact', id: contact.id },
      personId: contact.id,
      summary: 'Created a preferences link.',
      changes: [{ field: 'link', from: null, to: withheld }],
    });
    return {
      url: pageUrl(deployment.baseUrl, token),
      token,
      expiresAt: expiry?.toISOString() ?? null,
    };
  },
});
