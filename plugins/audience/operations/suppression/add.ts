import { defineOperation } from '#core/kernel/operation.js';
import { email, object, optional, phone, text } from '#core/kernel/schema/schema.js';
import { exampleSuppression } from '../../examples.js';
import { Suppression } from '../../resources.js';
import { contactBehind } from '../../suppressions/find-by-address.js';
import { presentSuppression } from '../../suppressions/present.js';
import { suppress } from '../../suppressions/write.js';

export default defineOperation({
  name: 'audience.suppression.add',
  summary: 'Suppress an address or number by hand: nothing is sent there any more.',
  description:
    'The do-not-contact list, or block list: it holds for every topic, and for who is no contact too. One that was suppressed by hand already stays as it is, its note included.',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(
    {
      email: optional(email('The address.')),
      phone: optional(phone('The number, E.164.')),
      note: optional(text('Why, for your own people.', { maxLength: 500 })),
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
    const { row } = await suppress(context, caller.environment.id, {
      channel: address === undefined ? 'sms' : 'email',
      address: address ?? number ?? '',
      reason: 'manual',
      note,
    });
    const personId = await contactBehind(db, row);
    audit({
      subject: { type: 'suppression', id: row.id },
      summary: row.channel === 'email' ? 'Suppressed an address by hand.' : 'Suppressed a number by hand.',
      ...(personId === null ? {} : { personId }),
    });
    return { suppression: presentSuppression(row) };
  },
});
