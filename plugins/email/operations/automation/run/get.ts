import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { presentBlockedStep } from '#core/messaging/blocked.js';
import { list, object, uuid } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleRun } from '../../../automations/examples.js';
import { automationsOf } from '../../../automations/runs/find.js';
import { AutomationRun, RunStep } from '../../../automations/resources.js';
import { presentRun } from '../../../automations/runs/status.js';
import { history, runs } from '../../../tables/automation.js';

export default defineOperation({
  name: 'email.automation.run.get',
  summary: 'Returns an automation run with every step it took, and when and why it took them.',
  keywords: 'history steps journey debug',
  access: 'secret',
  requires: 'audience',
  impact: { read: true, retrySafe: true },
  input: object({ runId: uuid('The run.') }),
  output: object({ run: AutomationRun, history: list(RunStep, 'The steps that it took, in order.') }),
  example: {
    input: { runId: exampleRun.id },
    output: {
      run: exampleRun,
      history: [
        {
          step: 'steps[0]',
          type: 'send',
          at: '2026-11-20T09:30:00.000Z',
          outcome: 'sent',
          reason: null,
          blocked: null,
          detail: null,
          messageId: '01890a5d-ac96-774b-bcce-b302099a8300',
        },
      ],
    },
  },

  async handle({ runId }, { db, caller }) {
    const row = await findOwned(db, runs, caller, runId);
    const [steps, found] = await Promise.all([
      db.rows<object>(
        `SELECT ${history.columnList()} FROM email_automation_history WHERE run_id = ? ORDER BY position`,
        [idBytes(runId)],
      ),
      automationsOf(db, [row]),
    ]);
    const automation = found.get(row.automationId);
    if (!automation) throw new Error('A run has no automation.');
    return {
      run: presentRun(row, { automation, isClosed: caller.environment.closedAt !== null }),
      history: steps
        .map((each) => history.decode(each))
        .map(({ step, type, at, outcome, reason, blockedBy, detail, messageId }) => ({
          step,
          type,
          at: at.toISOString(),
          outcome,
          reason,
          blocked: presentBlockedStep(blockedBy),
          detail,
          messageId,
        })),
    };
  },
});
