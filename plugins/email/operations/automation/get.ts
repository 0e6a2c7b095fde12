import { Readiness } from '#core/messaging/readiness.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, type ValueOf } from '#core/kernel/schema/schema.js';
import { exampleAutomation, exampleReadiness } from '../../automations/examples.js';
import { automationId } from '../../automations/input.js';
import { readinessFor } from '../../automations/readiness/check.js';
import { Automation, RunCounts } from '../../automations/resources.js';
import { findAutomation, presentAutomation, stepIndexOf } from '../../automations/store.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { runStatuses, type AutomationRow } from '../../tables/automation.js';
import { shownRunStatus } from '../../automations/runs/status.js';

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

/** Counts an automation's runs by the displayed status and, while they are open, by step. It only reads an index. */
async function countRuns(
  db: Session,
  automation: AutomationRow,
  isClosed: boolean,
): Promise<ValueOf<typeof RunCounts>> {
  const rows = await db.rows<{ status: Buffer; step_id: number; found: number }>(
    `SELECT status, step_id, COUNT(*) AS found FROM email_automation_run FORCE INDEX (steps)
     WHERE automation_id = ? GROUP BY status, step_id`,
    [idBytes(automation.id)],
  );
  const index = stepIndexOf(automation);
  const counts = { waiting: 0, held: 0, completed: 0, cancelled: 0, failed: 0 };
  const byStep: Record<string, number> = {};
  for (const { status, step_id: stepId, found } of rows) {
    const stored = runStatuses.find((each) => each === status.toString()) ?? 'failed';
    const shown = shownRunStatus(stored, { automation, isClosed });
    counts[shown] += found;
    if (shown !== 'waiting' && shown !== 'held') continue;
    const path = index.get(stepId)?.path ?? 'removed';
    byStep[path] = (byStep[path] ?? 0) + found;
  }
  return { ...counts, byStep };
}
