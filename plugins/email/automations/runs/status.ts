import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { AutomationRow, RunRow } from '../../tables/automation.js';
import { parseRecord } from '../json.js';
import type { AutomationRun, runStatuses } from '../resources.js';
import { stepIndexOf } from '../store.js';

export type RunStatus = (typeof runStatuses)[number];

/** What the status of a run depends on beside its row: its automation, and whether the account is closed. */
export interface RunSurroundings {
  readonly automation: Pick<AutomationRow, 'id' | 'version' | 'steps' | 'status' | 'archivedAt'>;
  readonly isClosed: boolean;
}

/**
 * The status that people see. Pausing, archiving and closing write no runs: a waiting run reads its status through its automation and
 * account, so a million of them change at once. Archived ones are ended behind (archive-queue.ts).
 */
export function shownRunStatus(stored: RunRow['status'], { automation, isClosed }: RunSurroundings): RunStatus {
  if (stored !== 'waiting') return stored;
  if (automation.status === 'archived') return 'cancelled';
  return automation.status === 'paused' || isClosed ? 'held' : 'waiting';
}

/** A run as replies and events carry it. */
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
    context: { ...parseRecord(row.context) },
    nextAt: isOpen ? (row.nextAt?.toISOString() ?? null) : null,
    startedAt: row.startedAt.toISOString(),
    endedAt: (isArchived ? automation.archivedAt : row.endedAt)?.toISOString() ?? null,
    endReason: isArchived ? 'automation_archived' : row.endReason,
  };
}

/** SQL for the runs `run` of an environment that are shown with a status, with its parameters. */
export function runStatusCondition(
  status: RunStatus,
  environmentId: Buffer,
  isClosed: boolean,
): { sql: string; parameters: Record<string, Buffer> } {
  const parameters = { environmentId };
  const stored = (word: string): string => `run.status = '${word}'`;
  const automationIs = (words: readonly string[]): string =>
    `run.automation_id IN (SELECT a.id FROM email_automation a WHERE a.environment_id = :environmentId AND a.status IN (${words.map((word) => `'${word}'`).join(', ')}))`;
  switch (status) {
    case 'waiting':
      return {
        sql: isClosed ? 'FALSE' : `${stored('waiting')} AND NOT ${automationIs(['paused', 'archived'])}`,
        parameters,
      };
    case 'held':
      return {
        sql: isClosed
          ? `${stored('waiting')} AND NOT ${automationIs(['archived'])}`
          : `${stored('waiting')} AND ${automationIs(['paused'])}`,
        parameters,
      };
    case 'cancelled':
      return {
        sql: `(${stored('cancelled')} OR (${stored('waiting')} AND ${automationIs(['archived'])}))`,
        parameters,
      };
    case 'completed':
    case 'failed':
      return { sql: stored(status), parameters };
  }
}
