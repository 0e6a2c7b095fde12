import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { exampleSuppression } from '../../examples.js';
import { Suppression } from '../../resources.js';
import { isPersonalReason } from '../../suppressions/reasons.js';
import { presentSuppression } from '../../suppressions/present.js';
import { contactIdOf, liftSuppression } from '../../suppressions/store.js';
import { suppressions } from '../../tables/suppression.js';

export default defineOperation({
  name: 'audience.suppression.lift',
  summary: 'Lift a suppression, so that messages are sent to the address or number again.',
  description:
    'A suppression that the person asked for (unsubscribe, STOP, complaint) can be lifted only by the person. One that is lifted already stays as it is.',
  keywords: 'unblock unban allow',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({
    suppressionId: uuid('The suppression to lift.'),
    note: optional(
      text('Why; kept in the audit log when a contact has the address.', { minLength: 1, maxLength: 500 }),
    ),
  }),
  output: object({ suppression: Suppression }),
  errors: ['suppression_not_liftable'],
  events: ['audience.suppression.lifted'],
  example: {
    input: { suppressionId: exampleSuppression.id, note: 'The mailbox works again.' },
    output: {
      suppression: { ...exampleSuppression, liftable: false, liftedAt: '2026-11-21T09:30:00.000Z' },
    },
  },

  async handle({ suppressionId, note }, context) {
    const { db, caller, fail, audit } = context;
    const row = await findOwned(db, suppressions, caller, suppressionId);
    const personId = await contactIdOf(db, row);
    const changes = note === undefined ? [] : [{ field: 'note', from: null, to: note }];
    audit({
      subject: { type: 'suppression', id: row.id },
      summary:
        row.channel === 'email' ? 'Lifted the suppression of an address.' : 'Lifted the suppression of a number.',
      // A note may name the person, so it is kept only where erasing the person finds it.
      ...(personId === null ? {} : { personId, changes }),
    });
    if (row.active === null) return { suppression: presentSuppression(row) };
    if (isPersonalReason(row.reason)) throw fail.suppression_not_liftable({ reason: row.reason });
    const lifted = (await liftSuppression(context, row)) ?? (await findOwned(db, suppressions, caller, suppressionId));
    return { suppression: presentSuppression(lifted) };
  },
});
