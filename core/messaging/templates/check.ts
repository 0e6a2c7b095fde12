import { messagingRefusalOf } from '../errors.js';
import type { SvcError } from '#core/kernel/errors/errors.js';
import type { SystemTemplate } from '../system-template.js';
import type { ChannelTemplates, ContentPart } from './channel.js';
import { exampleGuarded, guardedOf } from './guarded.js';
import { placeOf, valuesFor } from './liquid.js';
import { checkParts, refuseUntaken, renderJobs } from './render-pool.js';
import type { Locales } from './tables.js';
import type { ThreadOwner } from '#core/runtime/thread-pool.js';

/** A content and the variables it uses. */
interface CheckedContent<Source> {
  readonly source: Source;
  readonly variables: readonly string[];
  /** The variables of each part. */
  readonly byPart: readonly { readonly part: ContentPart; readonly variables: readonly string[] }[];
}

interface Place {
  readonly locale: string;
  readonly part: string;
  readonly line: number;
  readonly column: number;
}

/** template_invalid that names locale, part, line and column. */
const invalidContent = ({ locale, part, line, column }: Place, problem: string): SvcError =>
  messagingRefusalOf.template_invalid({
    part: `${part} in ${locale}`,
    line,
    column,
    problem,
    details: { locale, part, line, column },
  });

/**
 * Checks the syntax of contents, in a thread of the render pool.
 * @param owner turnsOf the environment of the contents
 * @throws template_invalid for the first part that is wrong; rate_limited if too many requests of the account are
 *   waiting
 */
export async function checkContents<Source>(
  owner: ThreadOwner,
  templates: Pick<ChannelTemplates<Source>, 'partsOf'>,
  contents: Locales<Source>,
): Promise<Record<string, CheckedContent<Source>>> {
  const entries = Object.entries(contents).map(([locale, source]) => ({
    locale,
    source,
    parts: templates.partsOf(source),
  }));
  const checked = await checkParts(
    owner,
    entries.flatMap(({ parts }) => parts.map(({ source, escaping }) => ({ source, escaping }))),
  ).catch(refuseUnchecked);
  let next = 0;
  return Object.fromEntries(
    entries.map(({ locale, source, parts }) => {
      const byPart = parts.map((part) => {
        const result = checked[next++];
        if (!result) throw new Error('The render pool returned too few results.');
        if (!result.ok) throw invalidContent({ locale, part: part.part, ...result }, result.problem);
        return { part, variables: result.variables };
      });
      const variables = unionOf(byPart.map((each) => each.variables));
      return [locale, { source, variables, byPart }];
    }),
  );
}

/**
 * Checks the contents of a draft as a call gives them.
 * @param given by locale; null removes a locale
 * @throws as `checkContents`
 */
export async function checkGiven<Source>(
  owner: ThreadOwner,
  templates: Pick<ChannelTemplates<Source>, 'partsOf'>,
  given: Readonly<Record<string, Source | null>>,
): Promise<Record<string, CheckedContent<Source> | null>> {
  const texts = Object.entries(given).flatMap(([locale, source]) => (source ? [[locale, source] as const] : []));
  const checked = await checkContents(owner, templates, Object.fromEntries(texts));
  return Object.fromEntries(Object.keys(given).map((locale) => [locale, checked[locale] ?? null]));
}

/** The parts of contents, by locale. */
export const partsByLocale = (
  contents: Locales<CheckedContent<unknown> | null>,
): Record<string, readonly ContentPart[]> =>
  Object.fromEntries(
    Object.entries(contents).map(([locale, content]) => [locale, content?.byPart.map(({ part }) => part) ?? []]),
  );

const refuseUnchecked = (error: unknown): never =>
  refuseUntaken(error, 'too many templates of this environment are being checked');

/** All names, without duplicates, in the order of their first occurrence. */
export const unionOf = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/** Variables that every system template has in addition to its own. */
const commonSystemVariables = ['brandName'];

/**
 * Checks the override of a system template: each of its bodies uses the required variables, and no text uses one that
 * svc does not supply.
 * @param isBody whether a part is a body: a required variable that is only in the subject is useless
 * @throws template_missing_required; template_invalid for a variable that is not supplied
 */
export function requireOverride<Source>(
  { variables: own, requiredVariables }: SystemTemplate,
  contents: Locales<CheckedContent<Source>>,
  isBody: (part: string) => boolean,
): void {
  const supplied = new Set([...own, ...requiredVariables, ...commonSystemVariables]);
  const headOf = (name: string): string => /^[^.[]*/.exec(name)?.[0] ?? name;
  for (const [locale, { byPart }] of Object.entries(contents)) {
    for (const { part, variables } of byPart) {
      const heads = variables.map(headOf);
      const unknown = heads.find((name) => !supplied.has(name));
      if (unknown !== undefined)
        throw invalidContent(
          { locale, part: part.part, ...placeOf(part.source, unknown) },
          `there is no variable ${unknown}; this template has ${[...supplied].join(', ')}`,
        );
      const missing = isBody(part.part) ? requiredVariables.filter((name) => !heads.includes(name)) : [];
      if (missing.length > 0)
        throw messagingRefusalOf.template_missing_required({
          part: part.part,
          locale,
          variables: missing.map((name) => `{{ ${name} }}`).join(', '),
          details: { locale, part: part.part, variables: missing },
        });
    }
  }
}

/**
 * Checks that the override of a system template shows codes and links only where they may be shown, by rendering it
 * with examples. Places that only other values reach are checked whenever a message is sent (guarded.ts).
 * @param contents the texts by locale
 * @throws template_invalid, rate_limited
 */
export async function requireGuardedPlaces(
  owner: ThreadOwner,
  { variables }: SystemTemplate,
  contents: Locales<readonly ContentPart[]>,
): Promise<void> {
  const examples = { ...valuesFor([...variables, ...commonSystemVariables]), ...exampleGuarded };
  const known = Object.fromEntries(Object.entries(examples).filter(([name]) => variables.includes(name)));
  const entries = Object.entries(contents);
  const jobs = entries.map(([locale, parts]) => ({
    parts: parts.map(({ source, escaping }) => ({ source, escaping })),
    variables: examples,
    guarded: guardedOf(known),
    locale,
  }));
  const rendered = await renderJobs(owner, jobs).catch(refuseUnchecked);
  for (const [index, [locale, parts]] of entries.entries())
    for (const [place, result] of (rendered[index] ?? []).entries())
      if (!result.ok && 'isMisplaced' in result)
        throw invalidContent({ locale, part: parts[place]?.part ?? '', ...result }, result.problem);
}
