import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { permissionRefusal } from '#core/kernel/caller/permission-refusal.js';
import type { Context } from '#core/kernel/context.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { systemTemplatesOf, type SystemTemplate } from '../system-template.js';
import { renderTemplate, type Escaping } from './liquid.js';
import { pickLocale } from './locale.js';
import type { PublishedTemplate } from './published.js';

type SystemTemplateOn<Name> = Extract<SystemTemplate, { readonly channel: Name }>;

/** The system template of a channel with a name, if there is one. */
export const systemTemplateOf = <Name extends SystemTemplate['channel']>(
  deployment: Pick<Deployment, 'systemTemplates'>,
  channel: Name,
  name: string,
): SystemTemplateOn<Name> | undefined =>
  systemTemplatesOf(deployment).find(
    (each): each is SystemTemplateOn<Name> & SystemTemplate => each.channel === channel && each.name === name,
  );

/**
 * The system template with a name, for a change of the texts sent in its place. Anyone who can change the texts of a
 * product's messages can speak in its name, so this requires the product's write permission in addition to the
 * channel's.
 * @param verb the last part of the operation's name
 * @returns undefined for a name of the project's own, which needs no other permission
 * @throws permission_required
 */
export function requireMayOverride<Name extends SystemTemplate['channel']>(
  { caller, deployment }: Pick<Context, 'deployment'> & { readonly caller: TenantCaller },
  channel: Name,
  name: string,
  verb: 'draft.save' | 'publish' | 'delete',
): SystemTemplateOn<Name> | undefined {
  const system = systemTemplateOf(deployment, channel, name);
  const permission = `${name.split('.', 1).join()}:write`;
  if (system && !caller.permissions.has(permission))
    throw permissionRefusal(caller, permission, `${channel}.template.${verb} of the system template ${name}`);
  return system;
}

/** A system message, and its source: a project's override, or the built-in texts, which have no version. */
export interface RenderedSystem<Content> {
  readonly content: Content;
  readonly template: { readonly name: string; readonly version: number | null; readonly locale: string };
}

interface SystemJob<Content> {
  readonly template: SystemTemplate;
  /** The published version that replaces the built-in texts; null if there is none. */
  readonly override: PublishedTemplate | null;
  /** The recipient's language, then the project's, otherwise the template's default. */
  readonly wanted: readonly (string | undefined)[];
  /** @returns undefined when it cannot be rendered */
  renderOverride(override: PublishedTemplate, locale: string): Promise<Content | undefined>;
  renderBuiltIn(locale: string): Content;
}

/**
 * Renders a system message from its override, or from the built-in texts: if no override exists or it cannot be
 * rendered, because a plain-looking sign-in code is better than none.
 */
export async function renderSystem<Content>(job: SystemJob<Content>): Promise<RenderedSystem<Content>> {
  const { template, override, wanted } = job;
  if (override) {
    const locale = pickLocale(override.locales, wanted, override.defaultLocale);
    const content = await job.renderOverride(override, locale);
    if (content !== undefined) return { content, template: { name: template.name, version: override.version, locale } };
  }
  const locale = pickLocale(Object.keys(template.locales), wanted, 'en');
  return { content: job.renderBuiltIn(locale), template: { name: template.name, version: null, locale } };
}

/**
 * Renders a built-in text. @throws Error when a variable is missing: a built-in text that does not render is an error
 * of ours
 */
export function renderBuiltInText(
  source: string,
  variables: Readonly<Record<string, unknown>>,
  escaping: Escaping,
): string {
  const rendered = renderTemplate(source, variables, escaping);
  if (!rendered.ok) throw new Error(`A built-in template does not render: ${JSON.stringify(rendered)}`);
  return rendered.text;
}
