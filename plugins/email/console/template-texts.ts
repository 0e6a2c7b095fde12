import { acting, type ResultOf } from '#core/surfaces/console/kit/index.js';

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

/** Edited texts, and the saved ones that the edits began from. */
export interface Edits {
  readonly base: Locales;
  readonly texts: Locales;
}

const isSame = (one: Texts | undefined, other: Texts | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The texts in the editor: the edited languages, and the others as they are saved now, maybe by somebody else. */
export function editedTexts(saved: Locales, edits: Edits | undefined): Locales {
  if (!edits) return saved;
  const { base, texts } = edits;
  const locales = [...new Set([...Object.keys(texts), ...Object.keys(saved)])];
  return Object.fromEntries(
    locales.flatMap((locale) => {
      const now = isSame(base[locale], texts[locale]) ? saved[locale] : texts[locale];
      return now ? [[locale, now] as const] : [];
    }),
  );
}

/** What the edits of each language began from: what is saved now, for languages that are not edited yet. */
export function baseOf(saved: Locales, edits: Edits | undefined): Locales {
  const { base, texts } = edits ?? { base: {}, texts: {} };
  const locales = [...new Set([...Object.keys(saved), ...Object.keys(base)])];
  return Object.fromEntries(
    locales.flatMap((locale) => {
      const from = isSame(base[locale], texts[locale]) ? saved[locale] : base[locale];
      return from ? [[locale, from] as const] : [];
    }),
  );
}

/** The edited languages whose saved texts somebody else has changed since. Saving replaces those. */
export const conflicts = (saved: Locales, { base, texts }: Edits): string[] =>
  [...new Set([...Object.keys(base), ...Object.keys(texts)])].filter(
    (locale) =>
      !isSame(base[locale], texts[locale]) &&
      !isSame(base[locale], saved[locale]) &&
      !isSame(texts[locale], saved[locale]),
  );

/** The input of email.template.draft.save for the locales that changed; those that are gone are null. */
export function changedLocales(saved: Locales, edited: Locales) {
  const changed = Object.entries(edited)
    .filter(([locale, texts]) => !isSame(saved[locale], texts))
    .map(([locale, texts]) => [locale, sourceOf(texts)] as const);
  const gone = Object.keys(saved)
    .filter((locale) => !(locale in edited))
    .map((locale) => [locale, null] as const);
  return Object.fromEntries([...changed, ...gone]);
}

/** Texts as the operations take them. */
export const sourceOf = ({ subject, preheader, html, text }: Texts) => ({
  subject,
  html: html === '' ? null : html,
  text: text === '' ? null : text,
  preheader: preheader === '' ? null : preheader,
});

export const textsIn = (locales: Locales, locale: string): Texts => locales[locale] ?? noTexts;

/** The kept edits of a template that were not saved, so that a reload or a new sign-in loses nothing. */
const keptName = (template: string): string => `svc.draft.${acting.value?.environmentId ?? ''}.${template}`;

const isTexts = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && 'subject' in value && 'html' in value && 'text' in value;

const localesIn = (value: unknown): Locales | undefined =>
  isTree(value)
    ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, Texts] => isTexts(entry[1])))
    : undefined;

export function keptEdits(template: string): Edits | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(keptName(template)) ?? 'null');
    if (!isTree(value)) return undefined;
    const [base, texts] = [localesIn(value['base']), localesIn(value['texts'])];
    return base && texts && { base, texts };
  } catch {
    return undefined;
  }
}

export function keepEdits(template: string, edits: Edits | undefined): void {
  try {
    if (edits) sessionStorage.setItem(keptName(template), JSON.stringify(edits));
    else sessionStorage.removeItem(keptName(template));
  } catch {
    // The storage is full or turned off: the edits live as long as the page.
  }
}

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
