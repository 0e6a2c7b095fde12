import { formatTag, languageOf, type Language, type Translations } from '#core/kernel/language.js';
import type { Markup } from './html.js';

/** Texts in a reader's language. */
interface ReaderTexts<Texts> {
  lang: Language;
  /** The BCP 47 tag to format numbers, dates and names of countries with: the reader's own one, such as `en-GB`. */
  formatTag: string;
  texts: Texts;
}

/**
 * Chooses the texts for a reader.
 * @param languages BCP 47 tags, best first: `pt-BR` matches `pt`
 * @returns the first available language, its texts and their number and date formats; English if none is available
 */
export function textsFor<Texts>(translations: Translations<Texts>, languages: readonly string[]): ReaderTexts<Texts> {
  const [lang = 'en'] = languages.flatMap((tag) => languageOf(tag) ?? []);
  return { lang, formatTag: formatTag(lang, languages), texts: translations[lang] };
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

/** Formats how long to wait: in seconds below 90, then in minutes, rounded up. @param tag `formatTag` of `textsFor` */
export function formatWait(tag: string, seconds: number): string {
  const { unit, count } =
    seconds < 90 ? { unit: 'second', count: seconds } : { unit: 'minute', count: Math.ceil(seconds / 60) };
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** A label before its value: French has a no-break space before the colon. @param lang BCP 47 */
export const labelOf = (lang: string, label: string): string => `${label}${languageOf(lang) === 'fr' ? '\u00a0' : ''}:`;

/**
 * Formats a time for a reader, in UTC with the zone's name: the reader's time zone is not known. @param tag `formatTag`
 * of `textsFor`
 */
export const formatDateTime = (tag: string, time: Date): string =>
  new Intl.DateTimeFormat(tag, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(time);
