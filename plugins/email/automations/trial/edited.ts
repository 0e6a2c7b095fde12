import { newId } from '#core/runtime/id.js';
import type { AutomationRow } from '../../tables/automation.js';
import { keepIds } from '../steps/diff.js';
import { parseSteps } from '../steps/parse.js';
import { indexSteps } from '../steps/tree.js';
import { stepsOf } from '../store.js';

/**
 * The automation with other steps, as email.automation.update would save them. It has another id, because it is
 * not saved.
 * @throws invalid_input naming the step and its field
 */
export function withSteps(automation: AutomationRow, given: readonly unknown[]): AutomationRow {
  let next = automation.nextStepId;
  const tree = keepIds(stepsOf(automation), parseSteps(given), () => next++);
  return { ...automation, id: newId(), steps: JSON.stringify(tree), nextStepId: next };
}

/**
 * Where the runs at each step would be after an edit.
 * @param edited of `withSteps`
 * @returns by the step's path before the edit; its path after it, or null if the step was removed
 */
export function movesOf(automation: AutomationRow, edited: AutomationRow): Record<string, string | null> {
  const after = indexSteps(stepsOf(edited));
  return Object.fromEntries(
    [...indexSteps(stepsOf(automation))].map(([id, { path }]) => [path, after.get(id)?.path ?? null]),
  );
}
