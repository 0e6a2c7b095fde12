import type { Markup } from './html.js';

/** The languages of hosted pages. */
export const pageLanguages = ['en', 'de', 'fr', 'es', 'pt'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

/** A page's texts in every language. They are plain text with {placeholders}. */
export type Translations<Words> = Readonly<Record<PageLanguage, Words>>;

/**
 * Chooses the texts for a reader.
 * @param languages BCP 47 tags, best first: `pt-BR` matches `pt`
 * @returns the first available language and its texts; English if none is available
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

/** Replaces the {placeholders} of a text with markup. Unknown placeholders stay, so that tests find them. */
export const fill = (text: string, values: Readonly<Record<string, Markup>>): Markup[] =>
  text
    .split(placeholder)
    .map((part, index) => (index % 2 === 0 ? part : Object.hasOwn(values, part) ? values[part] : `{${part}}`));

/** The same for plain text, such as a title. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : whole));

/** Formats a time for a language, in UTC and saying so: the reader's time zone is not known. */
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
