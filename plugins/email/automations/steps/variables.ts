import type { ContactFacts } from '#plugins/audience/ports.js';
import type { SubscriberVariables } from '../../templates/render.js';
import type { SendStep } from './tree.js';

/** The names that every send step has, besides `contact`, the step's variables and the contact's properties. */
export const providedNames = {
  email: ['context', 'preferencesUrl', 'legalAddress'],
  sms: ['context'],
};

/**
 * The values of the variables in the template of a send step on sms: the step's variables, overridden by the contact's
 * properties; `contact`; and `context`, the event that started the run.
 */
export const textVariablesFor = (
  step: Pick<SendStep, 'variables'>,
  { email, phone, firstName, lastName, locale, timeZone, properties }: Omit<ContactFacts, 'id'>,
  context: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  ...step.variables,
  ...properties,
  contact: { email, phone, firstName, lastName, locale, timeZone, properties },
  context,
});

/** The same for a step on email, with the variables that only mail to subscribers has. */
export const variablesFor = (
  step: Pick<SendStep, 'variables'>,
  contact: Omit<ContactFacts, 'id'>,
  context: Readonly<Record<string, unknown>>,
  subscriber: SubscriberVariables,
): Readonly<Record<string, unknown>> => ({ ...textVariablesFor(step, contact, context), ...subscriber });
