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
  summary: 'Suppresses an address or number manually.',
  description:
    'Nothing is sent there except system messages, such as sign-in codes and invitations. The suppression applies to every topic and to messages without one, whether or not a contact has the address. Adding a manual suppression again changes nothing and keeps its note.',
  keywords: 'block address blocklist block list ban stop do not contact never',
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
      summary: row.channel === 'email' ? 'Suppressed an address manually.' : 'Suppressed a number manually.',
      changes: added ? [...newFields(row, ['channel', 'reason']), ...noteChange(row.note, personId)] : [],
      unchanged: `the ${row.channel === 'email' ? 'address' : 'number'} was already suppressed manually; its note did not change.`,
      ...(personId === null ? {} : { personId }),
    });
    return { suppression: presentSuppression(row) };
  },
});
