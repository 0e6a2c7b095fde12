import { canonicalLocale } from './schema/locale.js';

/**
 * The languages of the texts that svc shows to people: pages, mails, text messages and invoices. People who read none
 * of them get English. Adding one here causes a compile error, or a failing test, wherever its texts are missing.
 */
export const languages = ['en', 'de', 'fr', 'es', 'pt'] as const;
export type Language = (typeof languages)[number];

/** Something in every language, such as a page's texts. Texts are plain, with {placeholders}. */
export type Translations<Texts> = Readonly<Record<Language, Texts>>;

/** The same for each language. @param make creates the value for one language */
export const inEachLanguage = <T>(make: (language: Language) => T): Translations<T> => ({
  en: make('en'),
  de: make('de'),
  fr: make('fr'),
  es: make('es'),
  pt: make('pt'),
});

/** The language of a BCP 47 tag, if it is one of svc's: `pt` for `pt-BR`. */
export function languageOf(tag: string): Language | undefined {
  const [subtag] = tag.toLowerCase().split(/[-_]/, 1);
  return languages.find((language) => language === subtag);
}

/**
 * The tag that states which variant of the language the texts are in (BCP 47): the Portuguese texts are in that of
 * Portugal.
 */
const variants: Translations<string> = { en: 'en', de: 'de', fr: 'fr', es: 'es', pt: 'pt-PT' };

/**
 * The tag of a text for readers and screen readers, from the locale that it was found under: `pt` means the Portuguese
 * of Portugal.
 */
export function textTag(locale: string): string {
  const language = languages.find((each) => each === locale);
  return language === undefined ? locale : variants[language];
}

/**
 * The tag for formatting numbers, dates and names of countries in texts of a locale: the reader's whole tag, so that
 * `en-GB` gets 25 November 2026. Texts of one country, such as the Portuguese ones, keep that country's formats.
 * @param locale BCP 47, of the texts
 * @param wanted the reader's tags, best first; invalid ones and those of other languages are skipped
 */
export function formatTag(locale: string, wanted: readonly (string | undefined)[]): string {
  const variant = textTag(locale);
  if (variant !== locale) return variant;
  const { language } = new Intl.Locale(locale);
  const valid = wanted.flatMap((tag) => canonicalLocale(tag ?? '') ?? []).map((tag) => new Intl.Locale(tag));
  return valid.find((each) => each.language === language)?.baseName ?? locale;
}
