import { updateTime } from '#core/kernel/audit/unchanged.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { automations, type AutomationRow, type AutomationStatus } from '../tables/automation.js';

/** Writes a new status of an automation that the caller has locked. @returns the row after it */
export async function setStatus(
  db: Session,
  before: AutomationRow,
  status: AutomationStatus,
  at: Date,
): Promise<AutomationRow> {
  const changed = { status, updatedAt: updateTime(before, at), archivedAt: status === 'archived' ? at : null };
  await db.defer(automations.updateRow({ id: before.id }, changed));
  return { ...before, ...changed };
}

/** How many runs of an automation have not ended. */
export async function countOpenRuns(db: Session, automationId: string): Promise<number> {
  const [row] = await db.rows<{ open: number }>(
    "SELECT COUNT(*) AS open FROM email_automation_run WHERE automation_id = ? AND status = 'waiting'",
    [idBytes(automationId)],
  );
  return row?.open ?? 0;
}
