import type { Context } from '#core/kernel/context.js';
import { checkTemplate } from '#core/messaging/templates/liquid.js';
import type { PublishedTemplate } from '#core/messaging/templates/published.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { contacts } from '#plugins/audience/ports.js';
import { loadTemplateVersion, renderTemplateContent } from '../templates/render.js';
import type { SendStep } from './tree.js';
import { providedNames, variablesFor } from './variables.js';

const firstName = (variable: string): string => variable.split(/[.[]/)[0] ?? variable;

/** The variables of a template and of the step's own subject that neither the step nor every run provides. */
function usedNames({ variables, subject }: SendStep, template: PublishedTemplate): string[] {
  const checked = subject === undefined ? undefined : checkTemplate(subject, 'none');
  const used = [...template.variables, ...(checked?.ok === true ? checked.variables : [])];
  const own = new Set([...providedNames, ...Object.keys(variables ?? {})]);
  return [...new Set(used.map(firstName))].filter((name) => !own.has(name));
}

/**
 * The variables that steps need and neither their own variables nor any contact's properties provide. A variable with a default is not
 * needed, which only rendering tells: that is done where a name is not provided.
 * @param templates by name; steps of others are left out
 */
export async function missingVariables(
  { db, use }: Pick<Context, 'use'> & { readonly db: ReadSession },
  environmentId: string,
  steps: readonly SendStep[],
  templates: ReadonlyMap<string, PublishedTemplate>,
): Promise<ReadonlyMap<SendStep, readonly string[]>> {
  const used = steps.flatMap((step) => {
    const template = templates.get(step.template);
    const names = template ? usedNames(step, template) : [];
    return template && names.length > 0 ? [{ step, template, names }] : [];
  });
  const known = await use(contacts).knownProperties(environmentId, [...new Set(used.flatMap(({ names }) => names))]);
  const missing = new Map<SendStep, readonly string[]>();
  for (const { step, template, names } of used) {
    if (names.every((name) => known.has(name))) continue;
    const found = await missingWhenRendered(db, environmentId, step, template, [...known]);
    if (found.length > 0) missing.set(step, found);
  }
  return missing;
}

async function missingWhenRendered(
  db: ReadSession,
  environmentId: string,
  step: SendStep,
  template: PublishedTemplate,
  known: readonly string[],
): Promise<string[]> {
  const nobody = { email: '', phone: '', firstName: '', lastName: '', locale: '', timeZone: '' };
  const properties = Object.fromEntries(known.map((name) => [name, '']));
  const subscriber = { preferencesUrl: '', legalAddress: '' };
  const variables = variablesFor(step, { ...nobody, properties }, {}, subscriber);
  const version = await loadTemplateVersion(db, template.versionId);
  const { subject } = step;
  const [rendered] = await renderTemplateContent(environmentId, version, template.defaultLocale, [variables], {
    subject,
  });
  if (!rendered || rendered.ok || !('missing' in rendered)) return [];
  return rendered.missing.filter((name) => !providedNames.includes(firstName(name)));
}
