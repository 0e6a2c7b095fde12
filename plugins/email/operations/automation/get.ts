import { Readiness } from '#core/messaging/readiness.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { countRuns } from '../../automations/runs/count.js';
import { exampleAutomation, exampleReadiness } from '../../automations/examples.js';
import { automationId } from '../../automations/input.js';
import { readinessFor } from '../../automations/readiness/check.js';
import { Automation, RunCounts } from '../../automations/resources.js';
import { findAutomation, presentAutomation } from '../../automations/store.js';

export default defineOperation({
  name: 'email.automation.get',
  summary: 'Returns an automation with its readiness and the number of runs at each step.',
  keywords: 'workflow journey flow progress',
  access: 'secret',
  requires: 'audience',
  impact: { read: true, retrySafe: true },
  input: object({ automationId }),
  output: object({ automation: Automation, readiness: Readiness, runs: RunCounts }),
  example: {
    input: { automationId: exampleAutomation.id },
    output: {
      automation: exampleAutomation,
      readiness: exampleReadiness,
      runs: { waiting: 12, held: 0, completed: 340, cancelled: 3, failed: 0, byStep: { 'steps[1]': 12 } },
    },
  },

  async handle({ automationId: id }, context) {
    const { db, caller } = context;
    const row = await findAutomation(db, caller, id);
    const [readiness, runs] = await Promise.all([
      readinessFor(context, caller.environment, row),
      countRuns(db, row, caller.environment.closedAt !== null),
    ]);
    return { automation: presentAutomation(row), readiness, runs };
  },
});
