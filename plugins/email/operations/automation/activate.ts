import { Readiness } from '#core/messaging/readiness.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { automationSubject } from '../../automations/audit.js';
import { exampleAutomation, exampleReadiness } from '../../automations/examples.js';
import { automationId } from '../../automations/input.js';
import { runQueue } from '../../automations/runs/queues.js';
import { readinessFor } from '../../automations/readiness/check.js';
import { Automation } from '../../automations/resources.js';
import { setStatus } from '../../automations/set-status.js';
import { lockAutomation, presentAutomation } from '../../automations/store.js';
import { markReferences } from '../../automations/references.js';

export default defineOperation({
  name: 'email.automation.activate',
  summary: 'Activates a draft or paused automation and starts enrolling contacts.',
  description:
    'Held runs continue at their current step. Refused if there are readiness problems. While the automation is active, events enrol contacts, and its topics, templates and domains cannot be archived, deleted or removed. Earlier events do not enrol anyone. Activating an active automation changes nothing.',
  keywords: 'start run enable publish resume unpause workflow journey',
  access: 'secret',
  requires: 'audience',
  impact: { retrySafe: true, billable: true },
  followUp: { operation: 'email.automation.get', input: { automationId: 'automation.id' } },
  input: object({ automationId }),
  output: object({ automation: Automation, readiness: Readiness }),
  errors: ['automation_not_ready', 'automation_archived', 'account_closed'],
  events: ['email.automation.activated', 'email.automation.sent', 'email.automation.suppressed'],
  example: {
    input: { automationId: exampleAutomation.id },
    output: { automation: exampleAutomation, readiness: exampleReadiness },
  },

  async handle({ automationId: id }, context) {
    const { db, caller, clock, fail, emit, audit, wake } = context;
    const { environment } = caller;
    if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    const before = await lockAutomation(db, caller, id);
    const { name, status } = before;
    if (status === 'archived') throw fail.automation_archived({ name });
    const readiness = await readinessFor(context, environment, before);
    audit({
      subject: automationSubject(before),
      summary: `Activated the automation “${name}”.`,
      changes: status === 'active' ? [] : [{ field: 'status', from: status, to: 'active' }],
      unchanged: `the automation “${name}” was already active.`,
    });
    if (status === 'active') return { automation: presentAutomation(before), readiness };
    const { ok, problems } = readiness;
    if (!ok)
      throw fail.automation_not_ready({
        name,
        problems: problems.map(({ message }) => message).join(' '),
        fixes: problems.map(({ fix }) => fix).join(' '),
        details: { problems },
      });
    await markReferences(context, environment, before);
    const automation = presentAutomation(await setStatus(db, before, 'active', clock.now()));
    emit('email.automation.activated', { subjectId: id, data: { automation } });
    wake(runQueue.name);
    return { automation, readiness };
  },
});
