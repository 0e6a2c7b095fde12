import { counted } from '#config/counted.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { cancelRuns, openRunsOf } from '../../../automations/runs/cancel.js';
import { exampleRun } from '../../../automations/examples.js';
import { requireContact } from '../../../automations/runs/find.js';
import { runs } from '../../../tables/automation.js';

export default defineOperation({
  name: 'email.automation.run.cancel',
  summary: 'Cancels one run, or every waiting run of a contact.',
  description:
    'Held runs are cancelled too. Messages that were already accepted are still sent. A run that has ended stays as it is.',
  keywords: 'stop end abort exit unenrol unenroll remove journey',
  access: 'secret',
  requires: 'audience',
  impact: { destructive: true, retrySafe: true },
  input: object(
    { runId: optional(uuid('The run.')), contactId: optional(uuid('Every run of this contact.')) },
    { exactlyOneOf: ['runId', 'contactId'] },
  ),
  output: object({ cancelledRuns: count('Runs that this call cancelled.') }),
  events: ['email.automation.cancelled'],
  example: { input: { runId: exampleRun.id }, output: { cancelledRuns: 1 } },

  async handle({ runId, contactId }, context) {
    const { db, caller, audit } = context;
    const { environment } = caller;
    const run = runId === undefined ? undefined : await findOwned(db, runs, caller, runId);
    if (contactId !== undefined) await requireContact(context, environment.id, contactId);
    const ids = run ? [run.id] : await openRunsOf(db, environment.id, contactId ?? '');
    const cancelled = await cancelRuns(context, environment, ids);
    const personId = run?.contactId ?? contactId ?? '';
    audit({
      subject: run ? { type: 'run', id: run.id } : { type: 'contact', id: personId },
      personId,
      summary: run ? 'Cancelled a run.' : `Cancelled ${counted(cancelled, 'run')} of a contact.`,
      changes: cancelled === 0 ? [] : [{ field: 'cancelledRuns', from: null, to: cancelled }],
      unchanged: run ? 'the run had already ended.' : 'the contact had no waiting run.',
    });
    return { cancelledRuns: cancelled };
  },
});
