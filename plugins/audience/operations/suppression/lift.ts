import { changesBetween } from '#core/kernel/audit/changes.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { filledText, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { exampleSuppression } from '../../examples.js';
import { Suppression } from '../../resources.js';
import { isPersonalReason } from '../../tables/suppression-reasons.js';
import { noteChange } from '../../suppressions/audit.js';
import { presentSuppression } from '../../suppressions/present.js';
import { contactIdOf, liftSuppression } from '../../suppressions/store.js';
import { suppressions } from '../../tables/suppression.js';

export default defineOperation({
  name: 'audience.suppression.lift',
  summary: 'Lifts a suppression, so that messages are sent to the address or number again.',
  description:
    'A suppression that the person asked for (unsubscribe, STOP or complaint) can be lifted only by that person. Lifting it again changes nothing.',
  keywords: 'unblock unban allow',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({
    suppressionId: uuid('The suppression to lift.'),
    note: optional(filledText('Why; kept in the audit log if a contact has the address.', 500)),
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
    const isActive = row.active !== null;
    if (isActive && isPersonalReason(row.reason)) throw fail.suppression_not_liftable({ reason: row.reason });
    const done = isActive ? await liftSuppression(context, row) : null;
    const lifted = done ?? (await findOwned(db, suppressions, caller, suppressionId));
    const what = row.channel === 'email' ? 'an address' : 'a number';
    audit({
      subject: { type: 'suppression', id: row.id },
      summary: `Lifted the suppression of ${what}.`,
      changes: done
        ? [
            ...changesBetween(presentSuppression(row), presentSuppression(done), ['liftedAt']),
            ...noteChange(note, personId),
          ]
        : [],
      unchanged: `the suppression of ${what} was already lifted.`,
      ...(personId === null ? {} : { personId }),
    });
    return { suppression: presentSuppression(lifted) };
  },
});
