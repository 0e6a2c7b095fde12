import type { FullContext } from '#core/kernel/context.js';
import { presentBlockedStep, type BlockedBy } from '#core/messaging/blocked.js';
import type { RunRow } from '../../tables/automation.js';
import { presentRun } from '../runs/status.js';
import type { LoadedRun } from './load.js';

/**
 * The context of one run's step: its events belong to the call that led to the run, and wait behind the events of
 * single calls.
 */
export function runContext(context: FullContext, { activityId }: Pick<RunRow, 'activityId'>): FullContext {
  return {
    ...context,
    emit: (name, event, environment) => context.emit(name, { lane: 'bulk', activityId, ...event }, environment),
    startedBy: () => activityId,
  };
}

/** The data that all events of a step contain: the contact, and the run as it was before the step. */
const eventOf = <Data extends object>({ run, automation }: LoadedRun, data: Data) => ({
  subjectId: run.id,
  personId: run.contactId,
  data: { ...data, run: presentRun(run, { automation, isClosed: false }) },
});

/** Writes the event of a mail that a step sent. @param step the path of the step */
export function emitSent(context: FullContext, loaded: LoadedRun, data: { step: string; messageId: string }): void {
  const { emit } = runContext(context, loaded.run);
  emit('email.automation.sent', eventOf(loaded, data), loaded.environment);
}

/** Why a step sent nothing. `by`: the consent or suppression that stopped it; null if something else did. */
export interface Suppression {
  readonly reason: string;
  readonly by: BlockedBy | null;
}

/** Writes the event of a mail that a step did not send. @param step the path of the step */
export function emitSuppressed(
  context: FullContext,
  loaded: LoadedRun,
  { step, reason, by }: Suppression & { step: string },
): void {
  const { emit } = runContext(context, loaded.run);
  const data = { step, reason, blocked: presentBlockedStep(by) };
  emit('email.automation.suppressed', eventOf(loaded, data), loaded.environment);
}
