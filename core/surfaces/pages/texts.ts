import type { Markup } from './html.js';

/** The languages that hosted pages speak. */
export const pageLanguages = ['en', 'de', 'fr', 'es', 'pt'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

/** A page's words, once per language. They are plain text with {placeholders}. */
export type Translations<Words> = Readonly<Record<PageLanguage, Words>>;

/**
 * The words for a reader.
 * @param languages BCP 47 tags, best first: `pt-BR` is served by `pt`
 * @returns the words of the first language that the page speaks, English otherwise, and which language that is
 */
export function textsFor<Words>(
  catalogue: Translations<Words>,
  languages: readonly string[],
): { lang: PageLanguage; words: Words } {
  const wanted = languages.map((tag) => tag.toLowerCase().split('-')[0]);
  const lang = wanted.flatMap((tag) => pageLanguages.filter((known) => known === tag))[0] ?? 'en';
  return { lang, words: catalogue[lang] };
}

const placeholder = /\{(\w+)\}/;

/** A text with its {placeholders} filled by markup; a name that nobody fills stays as it is, and so shows in tests. */
export const fill = (text: string, values: Readonly<Record<string, Markup>>): Markup[] =>
  text
    .split(placeholder)
    .map((part, index) => (index % 2 === 0 ? part : Object.hasOwn(values, part) ? values[part] : `{${part}}`));

/** The same for places that hold text alone, such as a title. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : whole));

/** A moment as people write it in a language. UTC, by name: nobody knows where the reader is. */
export const formatDateTime = (lang: string, moment: Date): string =>
  new Intl.DateTimeFormat(lang, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(moment);
