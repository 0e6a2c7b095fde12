import type { Environment } from '#core/kernel/caller/caller.js';
import { turnsOf } from '#core/kernel/caller/share.js';
import type { Context } from '#core/kernel/context.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { guardedOf } from '#core/messaging/templates/guarded.js';
import { findPublishedTemplate } from '#core/messaging/templates/published.js';
import { renderBuiltInText, renderSystem, type RenderedSystem } from '#core/messaging/templates/system.js';
import { directory } from '#plugins/account/ports.js';
import type { SignInText } from '#plugins/auth/ports.js';
import { renderBodies, type BodyJob } from '../messages/content.js';
import { templateTables } from '../tables/template.js';
import { templateVersionLoader } from '../templates/render.js';

/** The input of a system text. */
export interface SystemTextSource extends Pick<SignInText, 'template' | 'locale'> {
  /** Null for a missing value: Liquid treats null as false, and an empty text as true. */
  readonly variables: Readonly<Record<string, string | null>>;
}

/** Renders a system text from the project's override or the built-in texts, see renderSystem. */
export async function renderSystemText(
  { db, use }: Pick<Context, 'db' | 'use'>,
  environment: Environment,
  { template, variables: given, locale: wanted }: SystemTextSource,
): Promise<RenderedSystem<string>> {
  const [theme, projectLocale, override] = await Promise.all([
    use(directory).theme(environment),
    use(directory).locale(environment.projectId),
    findPublishedTemplate(db, templateTables, environment.id, template.name),
  ]);
  const variables = { ...given, brandName: theme.brandName };
  return renderSystem({
    template,
    override,
    wanted: [wanted, projectLocale],
    async renderOverride({ versionId }, locale) {
      const version = (await templateVersionLoader.load(db, [versionId])).get(versionId);
      const content = version?.contents[locale];
      return (
        content &&
        renderOrNothing(environment, { body: content.body, variables, guarded: guardedOf(variables), locale })
      );
    },
    renderBuiltIn(locale) {
      const texts = template.locales[locale];
      if (!texts) throw new Error(`The built-in template ${template.name} has no text in ${locale}.`);
      return renderBuiltInText(texts.body, variables, 'none');
    },
  });
}

/** @returns undefined if it cannot be rendered, or if it would leak a code or link */
async function renderOrNothing(environment: Environment, job: BodyJob): Promise<string | undefined> {
  try {
    const [rendered] = await renderBodies(turnsOf(environment), [job]);
    return rendered?.ok ? rendered.body : undefined;
  } catch (error) {
    // Too many templates of the environment wait for rendering.
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}
