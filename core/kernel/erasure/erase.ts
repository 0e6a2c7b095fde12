import { crashPoint } from '#core/runtime/fault.js';
import type { WorkerServices } from '../worker-services.js';
import type { PersonEraser, RequestedErasure } from './person.js';
import { redactAbout } from './redact.js';

interface Turn {
  done: number;
  inWork: boolean;
}

/**
 * Erases what can be found of a person now: every eraser in turn, and round again until a whole round finds nothing, since what one
 * redacts another may find by. One that fails does not hold back the others.
 * @returns whether a worker still has something in hand that speaks of the person
 * @throws what the erasers threw, once the others are done
 */
export async function erase(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  erasers: readonly PersonEraser[],
  person: RequestedErasure,
): Promise<boolean> {
  const failures: unknown[] = [];

  const turnOf = async ({ step }: PersonEraser): Promise<Turn> => {
    const turn: Turn = { done: 0, inWork: false };
    for (;;) {
      const { done, inWork = false } = await transaction('Erasure', (context) => {
        context.actIn(person.environment);
        return step(person, {
          ...context,
          redactAbout: (subjects) => redactAbout(context.db, person, subjects),
        });
      });
      crashPoint('erasure.step.after');
      turn.done += done;
      turn.inWork = inWork;
      if (done === 0) return turn;
    }
  };
  const unlessItFails = (error: unknown): Turn => {
    failures.push(error);
    return { done: 0, inWork: false };
  };

  for (;;) {
    failures.length = 0;
    const turns: Turn[] = [];
    for (const eraser of erasers) turns.push(await turnOf(eraser).catch(unlessItFails));
    if (turns.some(({ done }) => done > 0)) continue;
    for (const { outside } of erasers) await outside?.(person).catch((error: unknown) => void failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'A part of an erasure failed.');
    return turns.some(({ inWork }) => inWork);
  }
}
