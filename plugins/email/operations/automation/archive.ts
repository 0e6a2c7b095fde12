import { Readiness } from '#core/messaging/readiness.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object } from '#core/kernel/schema/schema.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import { automationSubject } from '../../automations/audit.js';
import { exampleAutomation, exampleReadiness } from '../../automations/examples.js';
import { automationId } from '../../automations/input.js';
import { archiveQueue } from '../../automations/runs/queues.js';
import { readinessFor } from '../../automations/readiness/check.js';
import { Automation } from '../../automations/resources.js';
import { countOpenRuns, setStatus } from '../../automations/set-status.js';
import { lockAutomation, presentAutomation } from '../../automations/store.js';
import { freeAutomation } from '../../automations/references.js';

export default defineOperation({
  name: 'email.automation.archive',
  summary: 'Ends an automation permanently.',
  description:
    'Waiting runs are cancelled. Past runs can still be read. Messages that were already accepted are still sent.',
  keywords: 'delete remove end close workflow journey',
  access: 'secret',
  requires: 'audience',
  impact: { destructive: true, retrySafe: true },
  input: object({ automationId }),
  output: object({
    automation: Automation,
    readiness: Readiness,
    cancelledRuns: count('Runs that this call cancelled; 0 if it was already archived.'),
  }),
  events: ['email.automation.archived'],
  example: {
    input: { automationId: exampleAutomation.id },
    output: {
      automation: { ...exampleAutomation, status: 'archived' },
      readiness: exampleReadiness,
      cancelledRuns: 12,
    },
  },

  async handle({ automationId: id }, context) {
    const { db, caller, clock, emit, audit, wake } = context;
    const before = await lockAutomation(db, caller, id);
    const { name, status } = before;
    const readiness = await readinessFor(context, caller.environment, before);
    audit({
      subject: automationSubject(before),
      summary: `Archived the automation “${name}”.`,
      changes: status === 'archived' ? [] : [{ field: 'status', from: status, to: 'archived' }],
      unchanged: `the automation “${name}” was already archived.`,
    });
    if (status === 'archived') return { automation: presentAutomation(before), readiness, cancelledRuns: 0 };
    const now = clock.now();
    const cancelledRuns = await countOpenRuns(db, id);
    await freeAutomation(context, id);
    const automation = presentAutomation(await setStatus(db, before, 'archived', now));
    // Its runs are cancelled from now on (shownRunStatus); their rows are updated later.
    const work = { id, partitionId: caller.environment.id, lane: 'bulk', dueAt: now } as const;
    await db.defer(enqueueStatement(archiveQueue, [work]));
    wake(archiveQueue.name);
    emit('email.automation.archived', { subjectId: id, data: { automation } });
    return { automation, readiness, cancelledRuns };
  },
});
