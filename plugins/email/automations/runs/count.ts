import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { runStatuses, type AutomationRow } from '../../tables/automation.js';
import type { RunCounts } from '../resources.js';
import { shownRunStatus } from './status.js';
import { stepIndexOf } from '../store.js';

/** Counts an automation's runs by the displayed status and, while they are open, by step. It only reads an index. */
export async function countRuns(
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
