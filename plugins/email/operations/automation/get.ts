import { Readiness } from '#core/messaging/readiness.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, list, map, nullable, object, optional, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { exampleAutomation, exampleReadiness } from '../../automations/examples.js';
import { automationId } from '../../automations/input.js';
import { maxSteps } from '../../automations/steps/parse.js';
import { movesOf, withSteps } from '../../automations/trial/edited.js';
import { Trial, tryAutomation, tryWith } from '../../automations/trial/trial.js';
import { Figures, figuresOf } from '../../automations/runs/figures.js';
import { readinessFor } from '../../automations/readiness/check.js';
import { Automation, AutomationStep, RunCounts } from '../../automations/resources.js';
import { findAutomation, presentAutomation, stepIndexOf } from '../../automations/store.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { runStatuses, type AutomationRow } from '../../tables/automation.js';
import { shownRunStatus } from '../../automations/runs/status.js';

export default defineOperation({
  name: 'email.automation.get',
  summary: 'Returns an automation with its readiness and the number of runs at each step.',
  description:
    '`figures` counts what happened at each step. `tryWith` plays the automation through with a contact and returns the messages that it would get. ' +
    '`steps` are steps that you have not saved: `moves` says where the runs in progress would be after saving them, and `tryWith` takes these steps.',
  keywords: 'test dry run preview workflow journey flow progress',
  access: 'secret',
  requires: 'audience',
  impact: { read: true, retrySafe: true },
  input: object({
    automationId,
    figures: optional(boolean('Also count what happened at each step.')),
    steps: optional(list(AutomationStep, 'Steps that are not saved.', { minItems: 1, maxItems: maxSteps })),
    tryWith,
  }),
  output: object({
    automation: Automation,
    readiness: Readiness,
    runs: RunCounts,
    figures: nullable(Figures),
    moves: nullable(
      map(
        nullable(text('The position after saving `steps`; null if the step was removed.')),
        'Where the runs at each step would go on, by the position of the step now; null without `steps`.',
      ),
    ),
    trial: nullable(Trial),
  }),
  example: {
    input: { automationId: exampleAutomation.id },
    output: {
      automation: exampleAutomation,
      readiness: exampleReadiness,
      runs: { waiting: 12, held: 0, completed: 340, cancelled: 3, failed: 0, byStep: { 'steps[1]': 12 } },
      figures: null,
      moves: null,
      trial: null,
    },
  },

  async handle({ automationId: id, figures, steps, tryWith: trial }, context) {
    const { db, caller } = context;
    const { environment } = caller;
    const row = await findAutomation(db, caller, id);
    const edited = steps === undefined ? null : withSteps(row, steps);
    const [readiness, runs, counted, tried] = await Promise.all([
      readinessFor(context, environment, row),
      countRuns(db, row, environment.closedAt !== null),
      figures === true ? figuresOf(db, row) : null,
      trial === undefined ? null : tryAutomation(context, environment, edited ?? row, trial),
    ]);
    return {
      automation: presentAutomation(row),
      readiness,
      runs,
      figures: counted,
      moves: edited && movesOf(row, edited),
      trial: tried,
    };
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
