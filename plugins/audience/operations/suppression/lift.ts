import { defineOperation } from '#core/kernel/operation.js';
import { object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { exampleSuppression } from '../../examples.js';
import { Suppression } from '../../resources.js';
import { isPersonsWish } from '../../consents/state.js';
import { contactBehind } from '../../suppressions/find-by-address.js';
import { findSuppression } from '../../suppressions/find.js';
import { presentSuppression } from '../../suppressions/present.js';
import { lift } from '../../suppressions/write.js';

export default defineOperation({
  name: 'audience.suppression.lift',
  summary: 'Lift a suppression, so that the address or number may be reached again.',
  description:
    'One that the person asked for (unsubscribe, STOP, complaint) is lifted only by the person. What is lifted already stays as it is.',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({
    suppressionId: uuid('The suppression to lift.'),
    note: optional(
      text('Why; kept in the audit log where a contact has the address.', { minLength: 1, maxLength: 500 }),
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
    const environmentId = caller.environment.id;
    const row = await findSuppression(db, environmentId, suppressionId);
    const personId = await contactBehind(db, row);
    const said = note === undefined ? [] : [{ field: 'note', from: null, to: note }];
    audit({
      subject: { type: 'suppression', id: row.id },
      summary:
        row.channel === 'email' ? 'Lifted the suppression of an address.' : 'Lifted the suppression of a number.',
      // A note is free text, and may name the person: it is kept only where erasing them finds it.
      ...(personId === null ? {} : { personId, changes: said }),
    });
    if (row.standing === null) return { suppression: presentSuppression(row) };
    if (isPersonsWish(row.reason)) throw fail.suppression_not_liftable({ reason: row.reason });
    const lifted = (await lift(context, row)) ?? (await findSuppression(db, environmentId, suppressionId));
    return { suppression: presentSuppression(lifted) };
  },
});
