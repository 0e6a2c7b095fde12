import type { Reading } from '#core/kernel/context.js';
import { checkTemplate } from '#core/messaging/templates/liquid.js';
import type { PublishedTemplate } from '#core/messaging/templates/published.js';
import { propertiesAsked, unprovidedVariables, type ProvidedVariables } from '#core/messaging/templates/unprovided.js';
import { contacts } from '#plugins/audience/ports.js';
import { automationTexts } from '#plugins/sms/ports.js';
import { missingTemplateVariables } from '../../templates/missing-variables.js';
import type { SendStep } from '../steps/tree.js';
import { providedNames, textVariablesFor, variablesFor } from '../steps/variables.js';

/** The fields of a contact, all empty, so that templates can be rendered before a contact is chosen. */
const nobody = { email: '', phone: '', firstName: '', lastName: '', locale: '', timeZone: '', properties: {} };

/**
 * The variables that every run of a step has.
 * @param contextFields the fields of the event that triggers it; undefined for an event that callers record
 */
export const providedBy = (
  { channel, variables }: SendStep,
  contextFields: ReadonlySet<string> | undefined,
): ProvidedVariables => ({
  names: new Set([...providedNames[channel], ...Object.keys(variables ?? {})]),
  contactFields: new Set(Object.keys(nobody)),
  contextFields,
});

/** The paths that the step's own subject and a template use. */
function usedPaths({ subject }: SendStep, template: PublishedTemplate): string[] {
  const checked = subject === undefined ? undefined : checkTemplate(subject, 'none');
  return [...(checked?.ok === true ? checked.variables : []), ...template.variables];
}

/**
 * The variables that steps need and that are missing in their own variables, the event and every contact's properties.
 * @param templateOf the template of a step; steps without one are left out
 * @param contextOf the fields of the event that triggers a step, if they are known
 */
export async function missingVariables(
  context: Reading,
  environmentId: string,
  steps: readonly SendStep[],
  templateOf: (step: SendStep) => PublishedTemplate | undefined,
  contextOf: (step: SendStep) => ReadonlySet<string> | undefined,
): Promise<ReadonlyMap<SendStep, readonly string[]>> {
  const checked = steps.flatMap((step) => {
    const template = templateOf(step);
    return template
      ? [{ step, template, used: usedPaths(step, template), provided: providedBy(step, contextOf(step)) }]
      : [];
  });
  const asked = [...new Set(checked.flatMap(({ used, provided }) => propertiesAsked(used, provided)))];
  const known = await context.use(contacts).knownProperties(environmentId, asked);
  const missing = new Map<SendStep, readonly string[]>();
  for (const { step, template, used, provided } of checked) {
    const names = await unprovidedVariables(used, provided, known, (properties) =>
      missingWhenRendered(context, environmentId, step, template, properties),
    );
    if (names.length > 0) missing.set(step, names);
  }
  return missing;
}

function missingWhenRendered(
  { db, use }: Reading,
  environmentId: string,
  step: SendStep,
  template: PublishedTemplate,
  properties: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const contact = { ...nobody, properties };
  if (step.channel === 'sms')
    return use(automationTexts).missingVariables(environmentId, template, textVariablesFor(step, contact, {}));
  const variables = variablesFor(step, contact, {}, { preferencesUrl: '', legalAddress: '' });
  return missingTemplateVariables(db, environmentId, template, variables, step.subject);
}
