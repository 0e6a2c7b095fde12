import { Readiness } from '#core/messaging/readiness.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object } from '#core/kernel/schema/schema.js';
import { automationSubject } from '../../automations/audit.js';
import { exampleAutomation, exampleReadiness } from '../../automations/examples.js';
import { automationId } from '../../automations/input.js';
import { readinessFor } from '../../automations/readiness/check.js';
import { Automation } from '../../automations/resources.js';
import { countOpenRuns, setStatus } from '../../automations/set-status.js';
import { lockAutomation, presentAutomation } from '../../automations/store.js';
import { freeAutomation } from '../../automations/references.js';

export default defineOperation({
  name: 'email.automation.pause',
  summary: 'Stops enrolling contacts and holds every run at its current step.',
  description:
    'No run takes a step after this call returns. email.automation.activate resumes the runs; a wait whose time passed while paused is over. Messages that were already accepted are still sent.',
  keywords: 'stop hold halt suspend disable workflow journey',
  access: 'secret',
  requires: 'audience',
  impact: { retrySafe: true },
  input: object({ automationId }),
  output: object({
    automation: Automation,
    readiness: Readiness,
    heldRuns: count('Runs that this call held; 0 if it was already paused.'),
  }),
  errors: ['automation_not_active'],
  events: ['email.automation.paused'],
  example: {
    input: { automationId: exampleAutomation.id },
    output: { automation: { ...exampleAutomation, status: 'paused' }, readiness: exampleReadiness, heldRuns: 12 },
  },

  async handle({ automationId: id }, context) {
    const { db, caller, clock, fail, emit, audit } = context;
    // Waits for steps that are being committed; none is committed after this.
    const before = await lockAutomation(db, caller, id);
    const { name, status } = before;
    if (status !== 'active' && status !== 'paused') throw fail.automation_not_active({ name, status });
    const readiness = await readinessFor(context, caller.environment, before);
    audit({
      subject: automationSubject(before),
      summary: `Paused the automation “${name}”.`,
      changes: status === 'paused' ? [] : [{ field: 'status', from: status, to: 'paused' }],
      unchanged: `the automation “${name}” was already paused.`,
    });
    if (status === 'paused') return { automation: presentAutomation(before), readiness, heldRuns: 0 };
    const heldRuns = await countOpenRuns(db, id);
    await freeAutomation(context, id);
    const automation = presentAutomation(await setStatus(db, before, 'paused', clock.now()));
    emit('email.automation.paused', { subjectId: id, data: { automation } });
    return { automation, readiness, heldRuns };
  },
});
