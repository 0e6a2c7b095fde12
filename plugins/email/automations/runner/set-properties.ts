import type { Context } from '#core/kernel/context.js';
import { contacts, type PropertyOutcome } from '#plugins/audience/ports.js';
import { byEnvironment, type PlannedStep } from './step.js';

/** Sets the properties of the steps that set one, together for each environment. @returns the outcome of each */
export async function setRunProperties(
  { use }: Pick<Context, 'use'>,
  steps: readonly PlannedStep[],
): Promise<ReadonlyMap<PlannedStep, PropertyOutcome>> {
  const outcomes = new Map<PlannedStep, PropertyOutcome>();
  const setting = steps.filter(({ plan }) => plan.action.kind === 'set');
  for (const group of byEnvironment(setting)) {
    const environment = group[0]?.loaded.environment;
    if (!environment) continue;
    const changes = group.flatMap(({ loaded: { run }, plan: { action } }) =>
      action.kind === 'set'
        ? [
            {
              contactId: run.contactId,
              activityId: run.activityId,
              key: action.property.key,
              value: action.property.value,
            },
          ]
        : [],
    );
    const set = await use(contacts).setProperties(environment, changes);
    for (const [index, step] of group.entries()) outcomes.set(step, set[index] ?? 'no_contact');
  }
  return outcomes;
}
