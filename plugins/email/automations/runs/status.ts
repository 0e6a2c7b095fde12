import type { Environment } from '#core/kernel/caller/caller.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { jsonRecord } from '#core/runtime/database/json.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { AutomationRow, AutomationStatus, RunRow } from '../../tables/automation.js';
import type { AutomationRun, runStatuses } from '../resources.js';
import { stepIndexOf } from '../store.js';
import { archiveQueue } from './queues.js';

export type RunStatus = (typeof runStatuses)[number];

/** The facts beside the row that the status of a run depends on: its automation, and whether the account is closed. */
export interface RunSurroundings {
  readonly automation: Pick<AutomationRow, 'id' | 'version' | 'steps' | 'status' | 'archivedAt'>;
  readonly isClosed: boolean;
}

/**
 * The displayed status. Pausing, archiving and closing do not write runs: a waiting run gets its status from its
 * automation and account, so a million runs change immediately. The rows of archived runs are updated later
 * (archive-queue.ts).
 */
export function shownRunStatus(stored: RunRow['status'], { automation, isClosed }: RunSurroundings): RunStatus {
  if (stored !== 'waiting') return stored;
  if (automation.status === 'archived') return 'cancelled';
  return automation.status === 'paused' || isClosed ? 'held' : 'waiting';
}

/** A run in the form of replies and events. */
export function presentRun(row: RunRow, surroundings: RunSurroundings): ValueOf<typeof AutomationRun> {
  const { automation } = surroundings;
  const status = shownRunStatus(row.status, surroundings);
  const isArchived = row.status === 'waiting' && status === 'cancelled';
  const isOpen = status === 'waiting' || status === 'held';
  const current = isOpen ? stepIndexOf(automation).get(row.stepId)?.path : undefined;
  return {
    id: row.id,
    automationId: row.automationId,
    contactId: row.contactId,
    status,
    position: current ?? row.position,
    context: { ...jsonRecord(row.context) },
    nextAt: isOpen ? (row.nextAt?.toISOString() ?? null) : null,
    startedAt: row.startedAt.toISOString(),
    endedAt: (isArchived ? automation.archivedAt : row.endedAt)?.toISOString() ?? null,
    endReason: isArchived ? 'automation_archived' : row.endReason,
  };
}

/**
 * Ids of the automations whose waiting runs are shown with a status.
 * @param automationId the only one that counts
 */
export async function automationsWithWaiting(
  db: Pick<ReadSession, 'rows'>,
  status: RunStatus,
  { id, closedAt }: Environment,
  automationId?: string,
): Promise<string[]> {
  const statuses = statusesWithWaiting(status, closedAt !== null);
  if (statuses.length === 0) return [];
  // The queue contains the archived automations whose runs have not all ended yet.
  const from =
    status === 'cancelled' ? `${archiveQueue.table} q JOIN email_automation a ON a.id = q.id` : 'email_automation a';
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT a.id FROM ${from} WHERE a.environment_id = ? AND a.status IN (?) ${automationId === undefined ? '' : 'AND a.id = ?'}`,
    [
      idBytes(id),
      statuses.map((each) => Buffer.from(each)),
      ...(automationId === undefined ? [] : [idBytes(automationId)]),
    ],
  );
  return rows.map((row) => idText(row.id));
}

/** The statuses of automations whose waiting runs are shown with a status. */
function statusesWithWaiting(status: RunStatus, isClosed: boolean): readonly AutomationStatus[] {
  switch (status) {
    case 'waiting':
      return isClosed ? [] : ['draft', 'active'];
    case 'held':
      return isClosed ? ['draft', 'active', 'paused'] : ['paused'];
    case 'cancelled':
      return ['archived'];
    case 'completed':
    case 'failed':
      return [];
  }
}
