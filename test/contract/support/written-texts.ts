import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { languages, type Language } from '#core/kernel/language.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * A text for people, as it is in the source: Liquid, and {placeholders}. What is put into a template literal reads {}.
 */
export interface WrittenText {
  readonly language: Language;
  /** `plugins/auth/mails/texts/fr.ts: notices.new_device.body` */
  readonly place: string;
  /** `plugins/auth/mails/texts:notices.new_device.body`, the same in every language. */
  readonly key: string;
  readonly text: string;
  /** Texts of phones have only the characters of GSM-7, so that each stays one segment. */
  readonly isSms: boolean;
}

interface Found {
  readonly texts: readonly WrittenText[];
  /** Tables with a property for some languages, and the languages that they have. */
  readonly tables: readonly { readonly place: string; readonly languages: readonly Language[] }[];
  /** The folders with files named after languages, and the languages that they have. */
  readonly folders: readonly { readonly place: string; readonly languages: readonly Language[] }[];
}

const languageNamed = (name: string): Language | undefined => languages.find((language) => language === name);

const nameOf = ({ name }: ts.PropertyAssignment | ts.VariableDeclaration): string =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';

const templateText = ({ head, templateSpans }: ts.TemplateExpression): string =>
  head.text + templateSpans.map(({ literal }) => `{}${literal.text}`).join('');

const languagesIn = (node: ts.ObjectLiteralExpression): Language[] =>
  node.properties.flatMap((each) =>
    ts.isPropertyAssignment(each) || ts.isShorthandPropertyAssignment(each)
      ? (languageNamed(each.name.getText()) ?? [])
      : [],
  );

const keyOf = (path: string, keys: readonly string[]): string =>
  `${path.replace(/(?:\/(?:\w\w))?\.ts$/, '')}:${keys.filter((key) => !languageNamed(key)).join('.')}`;

/** The texts and tables of one file: those of a file named after a language, and those below properties that are. */
function readSource(path: string, source: string): Pick<Found, 'texts' | 'tables'> {
  const texts: WrittenText[] = [];
  const tables: { place: string; languages: Language[] }[] = [];
  const ofFile = languageNamed(path.replace(/^.*\/|\.ts$/g, ''));
  const visit = (node: ts.Node, keys: readonly string[], language: Language | undefined): void => {
    const place = `${path}: ${keys.join('.')}`;
    if (ts.isObjectLiteralExpression(node) && languagesIn(node).length > 1)
      tables.push({ place, languages: languagesIn(node) });
    const add = (text: string): void => {
      const isSms = path.startsWith('plugins/sms/') || keys.at(-1) === 'sms';
      if (language) texts.push({ language, place, key: keyOf(path, keys), text, isSms });
    };
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) add(node.text);
    if (ts.isTemplateExpression(node)) add(templateText(node));
    if (!ts.isPropertyAssignment(node)) {
      const below = ts.isVariableDeclaration(node) && !languageNamed(nameOf(node)) ? [...keys, nameOf(node)] : keys;
      ts.forEachChild(node, (child) => visit(child, below, language));
      return;
    }
    const name = nameOf(node);
    visit(node.initializer, [...keys, name], ofFile ?? languageNamed(name) ?? language);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true), [], ofFile);
  return { texts, tables };
}

/** Spares parsing most files: texts are in a file named after a language, or below a property that is. */
const mayHaveTexts = (path: string, source: string): boolean =>
  languageNamed(path.replace(/^.*\/|\.ts$/g, '')) !== undefined ||
  new RegExp(`\\b(?:${languages.join('|')})\\b['"]?\\s*[:,}]`).test(source);

async function readAll(): Promise<Found> {
  const listed = await Promise.all(
    ['core', 'plugins'].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  );
  const paths = listed
    .flat()
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.gen.ts'))
    .sort();
  const read = await Promise.all(
    paths.map(async (path) => {
      const source = await readFile(join(root, path), 'utf8');
      return mayHaveTexts(path, source) ? readSource(path, source) : { texts: [], tables: [] };
    }),
  );
  const named = paths.flatMap((path) => {
    const language = languageNamed(path.replace(/^.*\/|\.ts$/g, ''));
    return language ? [{ folder: dirname(path), language }] : [];
  });
  return {
    texts: read.flatMap(({ texts }) => texts),
    tables: read.flatMap(({ tables }) => tables),
    folders: [...new Set(named.map(({ folder }) => folder))].map((place) => ({
      place,
      languages: named.filter(({ folder }) => folder === place).map(({ language }) => language),
    })),
  };
}

const read: { found?: Promise<Found> } = {};

/** Every text that is written in several languages, from the sources of core and plugins. */
export const writtenTexts = (): Promise<Found> => (read.found ??= readAll());

/** The texts of one language. */
export const textsIn = async (language: Language): Promise<WrittenText[]> =>
  (await writtenTexts()).texts.filter((each) => each.language === language);

/** A text without its Liquid and placeholders: only what people read. */
export const wordsOnly = (text: string): string => text.replace(/\{\{.*?\}\}|\{%.*?%\}|\{\w*\}/g, ' ');
