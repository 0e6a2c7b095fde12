import { boolean, list, nullable, text, uuid, withDefault, filledText } from '#core/kernel/schema/schema.js';
import { nearest } from '#config/nearest.js';
import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { invalidField, invalidFields } from '#core/kernel/errors/invalid-field.js';
import { contacts } from '#plugins/audience/ports.js';
import { parseGivenCondition, type Condition } from './conditions/condition.js';
import { maxSteps } from './steps/parse.js';
import { AutomationStep, Condition as ConditionSchema } from './resources.js';
import { eventName } from './triggers/trigger.js';

export const automationId = uuid('The automation.');

export const automationFields = {
  name: filledText('The name, for your own team.', 120),
  triggerEvent: text(
    'The event that enrols contacts: an event that svc emits, or one that you record with audience.event.record.',
    {
      minLength: 1,
      maxLength: 100,
    },
  ),
  triggerFilter: nullable(ConditionSchema),
  steps: list(AutomationStep, 'The steps that each contact goes through, in order.', {
    minItems: 1,
    maxItems: maxSteps,
  }),
  reenter: withDefault(boolean('Whether a contact can be enrolled again after an earlier run.'), false),
} as const;

/**
 * The number of edits up to which a name counts as a misspelt event of svc. `email.opened`, which callers may record,
 * is four edits away from `email.queued`.
 */
const misspelling = 2;

/**
 * Checks the name of the event that will trigger an automation. With a name close to an event of svc, such as
 * `email.sentt`, the automation would wait forever for somebody to record it.
 * @throws invalid_input for a name that no event can have, and for a misspelt name of svc's events unless events were
 * recorded under it
 */
export async function requireEventName(
  { deployment, use, caller }: Pick<Context, 'deployment' | 'use'> & { readonly caller: TenantCaller },
  name: string,
): Promise<void> {
  const field = 'triggerEvent';
  if (!eventName.test(name))
    throw invalidField(
      field,
      'must be the name of an event: lower-case letters, digits, dots, hyphens and underscores',
    );
  if (deployment.events.has(name)) return;
  const meant = nearest(name, [...deployment.events.keys()], misspelling);
  if (meant === undefined || (await use(contacts).hasRecorded(caller.environment.id, name))) return;
  throw invalidFields([
    {
      field,
      problem: `is not an event that svc emits or that you have recorded. Did you mean “${meant}”?`,
      nextStep: `Name “${meant}”. To use your own event, record it once with audience.event.record first.`,
    },
  ]);
}

/** @throws invalid_input naming the part of the filter */
export const filterJson = (given: Condition | null): string | null =>
  given === null ? null : JSON.stringify(parseGivenCondition(given, 'triggerFilter'));
