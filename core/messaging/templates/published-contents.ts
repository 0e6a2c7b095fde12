import { messagingRefusalOf } from '../errors.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { pickLocale } from './locale.js';
import { findPublishedTemplates, type TemplateRef, type VersionLoader } from './published.js';
import type { TemplateTables } from './tables.js';

/** A template to make a message from. */
interface TemplateRequest extends TemplateRef {
  /** The recipient's language; see pickLocale. */
  readonly locale: string | undefined;
}

/** The content of a template in one locale, with its template and version. */
export interface PublishedContent<Compiled> {
  readonly content: Compiled;
  readonly versionId: string;
  readonly template: { readonly name: string; readonly version: number; readonly locale: string };
}

/**
 * The contents of published templates, read together. For versions that were read before, the only query is which
 * version is published.
 * @param projectLocale the language of recipients without one
 * @returns one result per request, in their order; null if nothing is published
 */
export async function publishedContents<Compiled>(
  db: Pick<ReadSession, 'rows'>,
  environmentId: string,
  { tables, loader }: { tables: TemplateTables<unknown, Compiled>; loader: VersionLoader<Compiled> },
  requests: readonly TemplateRequest[],
  projectLocale: () => Promise<string>,
): Promise<(PublishedContent<Compiled> | null)[]> {
  if (requests.length === 0) return [];
  // Reads that are requested together share a round trip.
  const [found, fallback] = await Promise.all([
    findPublishedTemplates(db, tables, environmentId, requests),
    projectLocale(),
  ]);
  const versions = await loader.load(
    db,
    found.flatMap((each) => each?.versionId ?? []),
  );
  return requests.map(({ name, locale: wanted }, index) => {
    const version = versions.get(found[index]?.versionId ?? '');
    if (!version) return null;
    const locale = pickLocale(version.locales, [wanted, fallback], version.defaultLocale);
    const content = version.contents[locale];
    if (!content) throw new Error(`The template ${name} has no content in ${locale}.`);
    return { content, versionId: version.versionId, template: { name, version: version.version, locale } };
  });
}

/** template_not_published for a template of a channel, or for one of its versions. */
export const notPublished = (channel: 'email' | 'sms', { name, version }: TemplateRef): SvcError =>
  messagingRefusalOf.template_not_published({
    template: name,
    version: version === undefined ? '' : ` ${version}`,
    publish: `${channel}.template.publish`,
    get: `${channel}.template.get`,
    list: `${channel}.template.list`,
  });
