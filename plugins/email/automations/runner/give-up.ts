import { SvcError } from '#core/kernel/errors/errors.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { isUnavailable } from '#core/runtime/database/errors.js';
import type { Claim } from '#core/runtime/work/queue.js';
import { stepIndexOf } from '../store.js';
import { commitSteps } from './commit.js';
import type { LoadedRun } from './load.js';

/** How often a step that cannot be taken is tried. With the queue's growing delays, this takes about an hour. */
const maxTries = 20;

/** The text of `history` and `endReason` without an error code. */
const unknownReason = 'step_error';

/** Errors that resolve themselves. The step is tried again until they do. */
const isTemporary = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof SvcError && ['rate_limited', 'unavailable'].includes(error.code));

/**
 * Ends a run as failed once its step has been tried often enough, with the reason in its history.
 * @param tries how often the step was tried, including this time
 * @throws the error, if the step should be tried again
 */
export async function giveUp(
  { transaction, log }: Pick<WorkerServices, 'transaction' | 'log'>,
  { claim, loaded, tries }: { readonly claim: Claim; readonly loaded: LoadedRun; readonly tries: number },
  error: unknown,
): Promise<void> {
  if (tries < maxTries || isTemporary(error)) throw error;
  const { run, automation } = loaded;
  log.error(
    { err: error, runId: run.id, automationId: automation.id, tries },
    'a step cannot be taken; its run failed',
  );
  const place = stepIndexOf(automation).get(run.stepId);
  const at = place ? { path: place.path, type: place.step.type } : null;
  const reason = error instanceof SvcError ? error.code : unknownReason;
  await transaction('Automation', (context) =>
    commitSteps(context, [{ claim, loaded, plan: { at, action: { kind: 'fail', reason } } }]),
  );
}
