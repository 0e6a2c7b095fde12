import { turnsOf } from '#core/kernel/caller/share.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadContext, Reading } from '#core/kernel/context.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { requireVariableSize } from '#core/messaging/input.js';
import { pickLocale, readLocale } from '#core/messaging/templates/locale.js';
import { findPublishedTemplate } from '#core/messaging/templates/published.js';
import { notPublished, publishedContents } from '#core/messaging/templates/published-contents.js';
import { systemTemplateOf } from '#core/messaging/templates/system.js';
import { directory } from '#plugins/account/ports.js';
import { templateTables } from '../tables/template.js';
import { publishedTexts } from '../templates/render.js';
import { renderBodies, type RenderedBody } from './content.js';
import type { ContentInput } from './input.js';

/** A rendered text, and the template that it was rendered from. */
interface RenderedInput {
  readonly rendered: RenderedBody;
  readonly template: { readonly name: string; readonly version: number; readonly locale: string } | null;
}

/**
 * Renders the text of a call, from its body or a template: the call's input schema requires exactly one of them.
 * @param options.isPreview renders it with the names of missing variables too, and the built-in words of a system text
 * @throws invalid_input, template_not_published, rate_limited
 */
export async function renderInput(
  context: Reading,
  environment: Environment,
  input: ContentInput,
  { isPreview = false }: { isPreview?: boolean } = {},
): Promise<RenderedInput> {
  requireVariableSize('message', input.variables);
  const { content, template } =
    (isPreview && (await builtInOf(context, environment, input))) || (await sourceOf(context, environment, input));
  const job = { body: content.body, variables: input.variables ?? {}, locale: template?.locale, isPreview };
  const [rendered] = await renderBodies(turnsOf(environment), [job]);
  if (!rendered) throw new Error('The text was not rendered.');
  return { rendered, template };
}

/**
 * The built-in words of a system text that nothing replaces, in the requested language, else the project's; null for
 * all others.
 */
async function builtInOf(
  { db, use, deployment }: Reading,
  { id, projectId }: Environment,
  { template: name, body, locale }: ContentInput,
): Promise<{ readonly template: null; readonly content: { readonly body: string } } | null> {
  const system = name === undefined || body !== undefined ? undefined : systemTemplateOf(deployment, 'sms', name);
  if (!system || (await findPublishedTemplate(db, templateTables, id, system.name))) return null;
  const wanted = [readLocale(locale), await use(directory).locale(projectId)];
  const content = system.locales[pickLocale(Object.keys(system.locales), wanted, 'en')];
  return content ? { template: null, content } : null;
}

async function sourceOf(
  { db, use }: Pick<ReadContext, 'db' | 'use'>,
  { id, projectId }: Environment,
  { body, template: name, locale }: ContentInput,
): Promise<Pick<RenderedInput, 'template'> & { readonly content: { readonly body: string } }> {
  if (name === undefined) {
    if (locale !== undefined) throw invalidField('locale', 'is only for messages with a template');
    return { content: { body: body ?? '' }, template: null };
  }
  const requests = [{ name, locale: readLocale(locale) }];
  const [found] = await publishedContents(db, id, publishedTexts, requests, () => use(directory).locale(projectId));
  if (!found) throw notPublished('sms', { name });
  return found;
}
