import type { Markup } from './html.js';

/** The languages of hosted pages. */
export const pageLanguages = ['en', 'de', 'fr', 'es', 'pt'] as const;
export type PageLanguage = (typeof pageLanguages)[number];

/** A page's texts in every language. They are plain text with {placeholders}. */
export type Translations<Texts> = Readonly<Record<PageLanguage, Texts>>;

/**
 * Chooses the texts for a reader.
 * @param languages BCP 47 tags, best first: `pt-BR` matches `pt`
 * @returns the first available language and its texts; English if none is available
 */
export function textsFor<Texts>(
  translations: Translations<Texts>,
  languages: readonly string[],
): { lang: PageLanguage; texts: Texts } {
  const preferred = languages.map((tag) => tag.toLowerCase().split('-')[0]);
  const lang = preferred.flatMap((tag) => pageLanguages.filter((known) => known === tag))[0] ?? 'en';
  return { lang, texts: translations[lang] };
}

const placeholder = /\{(\w+)\}/;

/** Replaces the {placeholders} of a text with markup. Unknown placeholders are kept, so that tests detect them. */
export const fill = (text: string, values: Readonly<Record<string, Markup>>): Markup[] =>
  text
    .split(placeholder)
    .map((part, index) => (index % 2 === 0 ? part : Object.hasOwn(values, part) ? values[part] : `{${part}}`));

/** Like `fill`, for plain text such as a title. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : whole));

/** Formats how long to wait: in seconds below 90, then in minutes, rounded up. */
export function formatWait(lang: string, seconds: number): string {
  const { unit, count } =
    seconds < 90 ? { unit: 'second', count: seconds } : { unit: 'minute', count: Math.ceil(seconds / 60) };
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** A label before its value: French has a no-break space before the colon. */
export const labelOf = (lang: string, label: string): string => `${label}${lang === 'fr' ? '\u00a0' : ''}:`;

/** Formats a time for a language, in UTC with the zone's name: the reader's time zone is not known. */
export const formatDateTime = (lang: string, time: Date): string =>
  new Intl.DateTimeFormat(lang, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(time);
