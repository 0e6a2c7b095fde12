import { crashPoint } from '#core/runtime/fault.js';
import type { WorkerServices } from '../worker-services.js';
import type { PersonEraser, RequestedErasure } from '../person.js';
import { redactAbout } from './redact.js';

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
export async function erase(
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
