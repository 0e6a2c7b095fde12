import { boolean, list, nullable, text, uuid, withDefault, filledText } from '#core/kernel/schema/schema.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { parseGivenCondition, type Condition } from './conditions/condition.js';
import { maxSteps } from './steps/parse.js';
import { AutomationStep, Condition as ConditionSchema } from './resources.js';
import { eventName } from './triggers/trigger.js';

export const automationId = uuid('The automation.');

export const automationFields = {
  name: filledText('The name, for your own team.', 120),
  triggerEvent: text('The event that enrols contacts: one of svc’s own, or one recorded with audience.event.record.', {
    minLength: 1,
    maxLength: 100,
  }),
  triggerFilter: nullable(ConditionSchema),
  steps: list(AutomationStep, 'What happens to each contact, one step after the other.', {
    minItems: 1,
    maxItems: maxSteps,
  }),
  reenter: withDefault(boolean('Whether a contact may be enrolled again after an earlier run.'), false),
} as const;

/** @throws invalid_input for a name that no event can have */
export function requireEventName(name: string): void {
  if (eventName.test(name)) return;
  throw refusalOf.invalid_input({
    field: 'triggerEvent',
    problem: 'must be the name of an event: small letters, digits, dots, hyphens and underscores',
    details: { field: 'triggerEvent' },
  });
}

/** @throws invalid_input naming the part of the filter */
export const filterJson = (given: Condition | null): string | null =>
  given === null ? null : JSON.stringify(parseGivenCondition(given, 'triggerFilter'));
