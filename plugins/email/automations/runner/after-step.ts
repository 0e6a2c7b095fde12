import type { HistoryRow, RunRow, StepOutcome } from '../../tables/automation.js';
import { stepIndexOf } from '../store.js';
import type { LoadedRun } from './load.js';
import type { Plan } from './step.js';

/** A run after a step, and its history entry about the step. */
export interface Applied {
  readonly run: RunRow;
  readonly entry?: HistoryRow;
}

/** The step that a run takes now. */
export interface CurrentStep {
  readonly loaded: LoadedRun;
  readonly at: Plan['at'];
  readonly now: Date;
}

/** The path of the step in its automation; if the step is gone, the path of the step before it. */
export const pathOf = ({ loaded, at }: CurrentStep): string => at?.path ?? loaded.run.position;

/** The run, ended by the step. */
export const endedRun = (
  step: CurrentStep,
  status: 'completed' | 'cancelled' | 'failed',
  endReason: string | null,
): RunRow => ({
  ...step.loaded.run,
  position: pathOf(step),
  status,
  nextAt: null,
  endedAt: step.now,
  endReason,
});

/**
 * The run at another step, which is due now.
 * @param to the id of the step; null at the end, which completes the run
 */
export function runAt(step: CurrentStep, to: number | null): RunRow {
  if (to === null) return endedRun(step, 'completed', null);
  const { run, automation } = step.loaded;
  return {
    ...run,
    stepId: to,
    entered: false,
    position: stepIndexOf(automation).get(to)?.path ?? run.position,
    nextAt: step.now,
  };
}

/**
 * A step that was taken: it counts, and the run's history gets an entry.
 * @param after the run as the step leaves it
 */
export function taken(
  step: CurrentStep,
  after: RunRow,
  outcome: StepOutcome,
  {
    reason = null,
    blockedBy = null,
    detail = null,
    messageId = null,
  }: Partial<Pick<HistoryRow, 'reason' | 'blockedBy' | 'detail' | 'messageId'>> = {},
): Applied {
  const { run } = step.loaded;
  return {
    run: { ...after, stepsTaken: run.stepsTaken + 1 },
    entry: {
      runId: run.id,
      position: run.stepsTaken,
      step: pathOf(step),
      type: step.at?.type ?? '',
      at: step.now,
      outcome,
      reason,
      blockedBy,
      detail,
      messageId,
    },
  };
}
