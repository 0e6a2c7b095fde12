import { shift } from '#core/runtime/clock.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { completeWork, postponeWork, type WorkQueue } from '#core/runtime/work/queue.js';
import type { PersonEraser, RequestedErasure } from '../person.js';
import type { Services } from '../services.js';
import type { WorkerServices } from '../worker-services.js';
import { environmentTurns } from '../environment/turns.js';
import { deferErasure } from './deferred.js';
import { kernelErasers } from './kernel-erasers.js';
import { redactAbout } from './redact.js';
import { erasureQueue, loadErasure } from './request.js';

/** The pause between two passes. By then, calls that were running when the erasure was requested have ended. */
const againMs = 60_000;

/**
 * The queue of requested erasures, each processed right after the call that requested it. A second pass a minute later
 * finds data that was being written during the first; more passes follow while a worker is still processing data about
 * the person. Then the request is deleted, or kept for products that are disabled.
 * @param erasers of the products, in the order of their names; the kernel's own run after them
 * @param disabled the disabled products that have data about people
 */
export function erasures(services: Services, erasers: readonly PersonEraser[], disabled: readonly string[]): WorkQueue {
  const { database, clock } = services;
  return {
    ...erasureQueue,
    concurrency: 3,
    turnsOf: environmentTurns(database),
    // People of closed accounts are erased too.
    excludedPartitions: [],
    async perform(claim) {
      const requested = await loadErasure(services, claim.id);
      if (requested) {
        const looked = clock.now();
        const stillInUse = await erase(services, [...erasers, ...kernelErasers], requested);
        if (stillInUse || looked < shift(requested.requestedAt, againMs)) {
          await postponeWork(database, erasureQueue, claim, shift(looked, againMs));
          return;
        }
      }
      crashPoint('erasure.finish.before');
      await database.transaction(async (db) => {
        if (!(await completeWork(db, erasureQueue, claim))) return;
        if (disabled.length > 0 && requested) await deferErasure(db, claim.id, disabled);
        else await db.run('DELETE FROM svc_erasure WHERE id = ?', [idBytes(claim.id)]);
      });
      crashPoint('erasure.finish.after');
    },
  };
}

interface Progress {
  done: number;
  stillInUse: boolean;
}

/**
 * Erases what is stored about a person now. Runs every eraser, and repeats until a whole round finds nothing, because
 * one eraser's redactions can make rows findable for another. A failing eraser does not stop the others.
 * @returns whether a worker is still processing data about the person
 * @throws AggregateError with the errors of the erasers, after the others are done
 */
async function erase(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  erasers: readonly PersonEraser[],
  person: RequestedErasure,
): Promise<boolean> {
  const failures: unknown[] = [];

  const runEraser = async ({ step }: PersonEraser): Promise<Progress> => {
    const total: Progress = { done: 0, stillInUse: false };
    for (;;) {
      const { done, stillInUse = false } = await transaction('Erasure', (context) => {
        context.actIn(person.environment, person.activityId);
        return step(person, {
          ...context,
          redactAbout: (subjects) => redactAbout(context.db, person, subjects),
        });
      });
      crashPoint('erasure.step.after');
      total.done += done;
      total.stillInUse = stillInUse;
      if (done === 0) return total;
    }
  };
  const recordFailure = (error: unknown): Progress => {
    failures.push(error);
    return { done: 0, stillInUse: false };
  };

  for (;;) {
    failures.length = 0;
    const progress: Progress[] = [];
    for (const eraser of erasers) progress.push(await runEraser(eraser).catch(recordFailure));
    if (progress.some(({ done }) => done > 0)) continue;
    for (const { outside } of erasers) await outside?.(person).catch((error: unknown) => void failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'Some erasers failed.');
    return progress.some(({ stillInUse }) => stillInUse);
  }
}
