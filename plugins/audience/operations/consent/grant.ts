import { isIP } from 'node:net';
import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, filledText, object, optional, text } from '#core/kernel/schema/schema.js';
import { exampleConsentRecord, exampleContact } from '../../examples.js';
import { channel, ConsentRecord, topicKey } from '../../resources.js';
import { changesIn, grantConsents } from '../../consents/append.js';
import { toClaim } from '../../consents/plan.js';
import { lockContact } from '../../contacts/find.js';
import { contactSelector } from '../../contacts/input.js';
import { isPersonalReason } from '../../tables/suppression-reasons.js';
import { activeSuppressions } from '../../suppressions/store.js';
import { requireGrantable } from '../../topics/find.js';

const atPreferencesPage =
  'Send the person a link to their preferences page (audience.preferences.link), where they can subscribe.';
const afterStop =
  'Ask the person to text START to the number that your messages come from. Then call audience.consent.grant again.';

export default defineOperation({
  name: 'audience.consent.grant',
  summary:
    'Appends a granted consent record with its topic, channel, source, the wording shown, and when and from where consent was given.',
  description:
    'Does not lift a suppression. A grant whose givenAt is not later than the current revocation is recorded but changes nothing, as does granting a consent that is already granted.',
  keywords: 'subscribe person subscription opt in newsletter news marketing permission agree',
  access: 'secret',
  input: object(
    {
      ...contactSelector,
      topic: topicKey,
      channel,
      source: filledText('Where it was given, such as a form or a checkout.', 200),
      wording: optional(text('The wording that the person agreed to.', { maxLength: 2000 })),
      givenAt: optional(dateTime('When it was given. Defaults to now.')),
      ip: optional(text('The IP address it was given from.', { maxLength: 45 })),
    },
    { exactlyOneOf: ['contactId', 'email', 'phone'] },
  ),
  output: object({ consent: ConsentRecord }),
  errors: ['topic_archived', 'suppression_standing'],
  events: ['audience.consent.granted'],
  example: {
    input: {
      email: exampleContact.email,
      topic: 'news',
      channel: 'email',
      source: exampleConsentRecord.source,
      wording: exampleConsentRecord.wording,
    },
    output: { consent: exampleConsentRecord },
  },

  async handle({ contactId, email, phone, ...grant }, context) {
    const { db, caller, clock, fail, audit } = context;
    const { environment } = caller;
    if (grant.ip !== undefined && isIP(grant.ip) === 0)
      throw fail.invalid_input({ field: 'ip', problem: 'must be an IP address' });
    await requireGrantable(db, environment.id, [{ ...grant, field: '' }], fail);
    const contact = await lockContact(db, environment, { contactId, email, phone });
    const address = grant.channel === 'email' ? contact.email : contact.phone;
    const active = address === null ? [] : await activeSuppressions(context, environment.id, grant.channel, address);
    const personal = active.find(({ reason }) => isPersonalReason(reason));
    if (personal) {
      const { reason } = personal;
      const nextStep = reason === 'stop' ? afterStop : atPreferencesPage;
      throw fail.suppression_standing({ channel: grant.channel, reason, nextStep });
    }
    const [appended] = await grantConsents(
      context,
      [{ ...toClaim(contact, grant, 'givenAt', clock.now()), undated: false }],
      {
        renew: true,
      },
    );
    if (!appended?.record) throw new Error('The grant has no record.');
    audit({
      subject: { type: 'contact', id: contact.id },
      personId: contact.id,
      summary: `Recorded consent to ${grant.topic} on ${grant.channel}.`,
      changes: changesIn([appended]),
      unchanged: `the evidence was recorded, but consent to ${grant.topic} on ${grant.channel} did not change.`,
    });
    return { consent: appended.record };
  },
});
