import type { Context } from '#core/kernel/context.js';
import { checkTemplate } from '#core/messaging/templates/liquid.js';
import type { PublishedTemplate } from '#core/messaging/templates/published.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { contacts } from '#plugins/audience/ports.js';
import { automationTexts } from '#plugins/sms/ports.js';
import { missingTemplateVariables } from '../../templates/missing-variables.js';
import type { SendStep } from '../steps/tree.js';
import { providedNames, textVariablesFor, variablesFor } from '../steps/variables.js';

const firstName = (variable: string): string => variable.split(/[.[]/)[0] ?? variable;

/** The variables of a template and of the step's own subject that neither the step nor every run provides. */
function usedNames({ channel, variables, subject }: SendStep, template: PublishedTemplate): string[] {
  const checked = subject === undefined ? undefined : checkTemplate(subject, 'none');
  const used = [...template.variables, ...(checked?.ok === true ? checked.variables : [])];
  const own = new Set([...providedNames[channel], ...Object.keys(variables ?? {})]);
  return [...new Set(used.map(firstName))].filter((name) => !own.has(name));
}

type Reading = Pick<Context, 'use'> & { readonly db: ReadSession };

/**
 * The variables that steps need and neither their own variables nor any contact's properties provide. A variable with a default is not
 * needed, which only rendering tells: that is done where a name is not provided.
 * @param templateOf the template of a step; steps without one are left out
 */
export async function missingVariables(
  context: Reading,
  environmentId: string,
  steps: readonly SendStep[],
  templateOf: (step: SendStep) => PublishedTemplate | undefined,
): Promise<ReadonlyMap<SendStep, readonly string[]>> {
  const used = steps.flatMap((step) => {
    const template = templateOf(step);
    const names = template ? usedNames(step, template) : [];
    return template && names.length > 0 ? [{ step, template, names }] : [];
  });
  const asked = [...new Set(used.flatMap(({ names }) => names))];
  const known = await context.use(contacts).knownProperties(environmentId, asked);
  const missing = new Map<SendStep, readonly string[]>();
  for (const { step, template, names } of used) {
    if (names.every((name) => known.has(name))) continue;
    const rendered = await missingWhenRendered(context, environmentId, step, template, [...known]);
    const found = rendered.filter((name) => !providedNames[step.channel].includes(firstName(name)));
    if (found.length > 0) missing.set(step, found);
  }
  return missing;
}

async function missingWhenRendered(
  { db, use }: Reading,
  environmentId: string,
  step: SendStep,
  template: PublishedTemplate,
  known: readonly string[],
): Promise<readonly string[]> {
  const properties = Object.fromEntries(known.map((name) => [name, '']));
  const nobody = { email: '', phone: '', firstName: '', lastName: '', locale: '', timeZone: '', properties };
  if (step.channel === 'sms')
    return use(automationTexts).missingVariables(environmentId, template, textVariablesFor(step, nobody, {}));
  const variables = variablesFor(step, nobody, {}, { preferencesUrl: '', legalAddress: '' });
  return missingTemplateVariables(db, environmentId, template, variables, step.subject);
}
