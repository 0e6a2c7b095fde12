import type { Guarded } from '#core/messaging/templates/guarded.js';
import { createVersionLoader, type TemplateVersion } from '#core/messaging/templates/published.js';
import { bulkTurns } from '#core/kernel/caller/share.js';
import type { Turns } from '#core/runtime/turn-tree.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { renderContents, type RenderedContent } from './content.js';
import { templateTables, type CompiledTemplate } from '../tables/template.js';

export type EmailTemplateVersion = TemplateVersion<CompiledTemplate>;

/** Versions by id, cached in memory. */
export const templateVersionLoader = createVersionLoader(
  templateTables,
  ({ subject, html, text }) => subject.length + (html?.length ?? 0) + text.length,
);

/**
 * A version with its contents, from memory if it was read before. It stays readable after its template was deleted.
 * @throws Error if there is no such version
 */
export async function loadTemplateVersion(
  db: Pick<ReadSession, 'rows'>,
  versionId: string,
): Promise<EmailTemplateVersion> {
  const version = (await templateVersionLoader.load(db, [versionId])).get(versionId);
  if (!version) throw new Error(`The template version ${versionId} does not exist.`);
  return version;
}

/**
 * Variables of mail to subscribers. The layout shows them in its footer if they are given, and any template may use
 * them.
 */
export interface SubscriberVariables {
  /** The contact's preferences page. */
  readonly preferencesUrl?: string;
  /** The sender's postal address. */
  readonly legalAddress?: string;
}

/** The names of `SubscriberVariables`. */
export const subscriberVariables: readonly (keyof SubscriberVariables)[] = ['preferencesUrl', 'legalAddress'];

export interface RenderTemplateOptions {
  /** Replaces the template's subject; Liquid too. */
  readonly subject?: string | undefined;
  /** The values among the variables that the texts may show but must not leak. */
  readonly guarded?: Guarded;
  /** For many recipients: does not delay messages that the environment sends one by one. */
  readonly bulk?: true;
}

/**
 * Renders a version for many recipients, in the threads of the render pool: about a hundred per call is a good number.
 * @param turns turnsOf the environment
 * @param locale one of the version's, see pickLocale
 * @param variables one set for each message
 * @returns one result for each set, in their order: the content, or why it cannot be rendered
 * @throws rate_limited if too many requests of the environment are waiting; Error if the version has no such locale
 */
export function renderTemplateContent(
  turns: Turns,
  { name, contents }: EmailTemplateVersion,
  locale: string,
  variables: readonly Readonly<Record<string, unknown>>[],
  { subject, guarded, bulk }: RenderTemplateOptions = {},
): Promise<RenderedContent[]> {
  const content = contents[locale];
  if (!content) throw new Error(`The template ${name} has no content in ${locale}.`);
  const source = subject === undefined ? content : { ...content, subject };
  return renderContents(
    bulk ? bulkTurns(turns) : turns,
    variables.map((each) => ({ source, variables: each, locale, ...(guarded ? { guarded } : {}) })),
  );
}
