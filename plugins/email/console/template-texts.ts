import type { ResultOf, Row } from '#core/surfaces/console/kit/index.js';

/* The texts of a template while they are edited. */

export interface Texts {
  readonly subject: string;
  readonly preheader: string;
  readonly html: string;
  readonly text: string;
}

export type Locales = Readonly<Record<string, Texts>>;

type Reply = ResultOf<'email.template.get'>;

const noTexts: Texts = { subject: '', preheader: '', html: '', text: '' };

/** Texts as replies have them, with empty ones in place of null. */
export const localesOf = (content: Reply['draft']): Locales =>
  Object.fromEntries(
    Object.entries(content ?? {}).map(([locale, { subject, preheader, html, text }]) => [
      locale,
      { subject, preheader: preheader ?? '', html: html ?? '', text: text ?? '' },
    ]),
  );

/** The texts of a draft, or of what is published if there is none. */
export const savedTexts = ({ draft, published }: Reply): Locales => localesOf(draft ?? published);

/** The input of email.template.draft.save for the locales that changed; removed ones are null. */
export const changedLocales = (changed: Row, texts: Locales) =>
  Object.fromEntries(
    Object.keys(changed).map((locale) => {
      const now = texts[locale];
      return [locale, now ? sourceOf(now) : null] as const;
    }),
  );

/** Texts as the operations take them. */
export const sourceOf = ({ subject, preheader, html, text }: Texts) => ({
  subject,
  html: html === '' ? null : html,
  text: text === '' ? null : text,
  preheader: preheader === '' ? null : preheader,
});

export const textsIn = (locales: Locales, locale: string): Texts => locales[locale] ?? noTexts;

const always =
  /^(?:contact(?:\.(?:email|phone|firstName|lastName|locale|timeZone|properties))?|preferencesUrl|legalAddress)$/;

/** The variables that need a value in a preview: not those that every broadcast has. */
export const ownVariables = (names: readonly string[]): string[] =>
  [...new Set(names)].filter((name) => !always.test(name)).sort();

/** Fields of contacts that every broadcast has. */
export const contactNames = ['email', 'firstName', 'lastName', 'phone', 'locale', 'timeZone'].map(
  (field) => `contact.${field}`,
);

/** Numbers only if their text stays the same: `19.90` and long order numbers are texts. */
function valueOf(text: string): unknown {
  if (/^-?\d/.test(text)) return String(Number(text)) === text ? Number(text) : text;
  if (!/^(?:[[{]|true$|false$)/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Tree {
  [name: string]: unknown;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Test values by dotted name as the variables of a call: `order.number` is in `order`. */
export function variablesOf(values: Readonly<Record<string, string>>): Record<string, unknown> {
  const variables: Tree = {};
  for (const [name, text] of Object.entries(values)) {
    if (text === '') continue;
    const parts = name.split('.');
    const last = parts.pop() ?? name;
    let node = variables;
    for (const part of parts) {
      const below = node[part];
      const next: Tree = isTree(below) ? below : {};
      node[part] = next;
      node = next;
    }
    node[last] = valueOf(text);
  }
  return variables;
}

/** Variables of a call as texts by dotted name, for fields. */
export function valuesOf(variables: Readonly<Record<string, unknown>>, start = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      if (isTree(value)) return Object.entries(valuesOf(value, `${start}${name}.`));
      return [[`${start}${name}`, typeof value === 'string' ? value : JSON.stringify(value)] as const];
    }),
  );
}
