import { newFields } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { email, object, optional, phone, text } from '#core/kernel/schema/schema.js';
import { exampleSuppression } from '../../examples.js';
import { Suppression } from '../../resources.js';
import { noteChange } from '../../suppressions/audit.js';
import { presentSuppression } from '../../suppressions/present.js';
import { addSuppression, contactIdOf } from '../../suppressions/store.js';

export default defineOperation({
  name: 'audience.suppression.add',
  summary: 'Suppress an address or number by hand: nothing is sent there except system messages.',
  description:
    'The do-not-contact list, or block list. It applies to every topic and to messages without one, whether or not a contact has the address; sign-in codes, invitations and other system messages are still sent. An address that is suppressed by hand already stays as it is, including its note.',
  keywords: 'block address blocklist list ban stop do not contact never',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(
    {
      email: optional(email('The address.')),
      phone: optional(phone('The number, E.164.')),
      note: optional(text('Why, for your own team.', { maxLength: 500 })),
    },
    { exactlyOneOf: ['email', 'phone'] },
  ),
  output: object({ suppression: Suppression }),
  events: ['audience.suppression.added'],
  example: {
    input: { email: exampleSuppression.email, note: exampleSuppression.note },
    output: { suppression: exampleSuppression },
  },

  async handle({ email: address, phone: number, note = null }, context) {
    const { db, caller, audit } = context;
    const { row, added } = await addSuppression(context, caller.environment.id, {
      channel: address === undefined ? 'sms' : 'email',
      address: address ?? number ?? '',
      reason: 'manual',
      note,
    });
    const personId = await contactIdOf(db, row);
    audit({
      subject: { type: 'suppression', id: row.id },
      summary: row.channel === 'email' ? 'Suppressed an address by hand.' : 'Suppressed a number by hand.',
      changes: added ? [...newFields(row, ['channel', 'reason']), ...noteChange(row.note, personId)] : [],
      unchanged: `the ${row.channel === 'email' ? 'address' : 'number'} was suppressed by hand already, and its note stays.`,
      ...(personId === null ? {} : { personId }),
    });
    return { suppression: presentSuppression(row) };
  },
});
