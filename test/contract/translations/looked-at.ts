import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages, type Translations } from '#core/kernel/language.js';
import type { WrittenText } from '../support/written-texts.js';

/** A text in every language, under the key that is the same in all. */
interface TranslatedText {
  readonly key: string;
  readonly texts: Translations<string>;
}

/** The digest of the English text that each translation was last compared with, by key. */
type Digests = ReadonlyMap<string, string>;

interface Unread {
  /** The texts whose English has changed, or is new, since their translations were last looked at. */
  readonly changed: readonly TranslatedText[];
  /** The keys whose English text no longer exists. */
  readonly gone: readonly string[];
}

const digestOf = ({ texts }: TranslatedText): string =>
  createHash('sha256').update(texts.en).digest('hex').slice(0, 12);

/** The texts that exist in English, sorted by key. A text made of several strings is joined. */
export function translatedTexts(written: readonly WrittenText[]): TranslatedText[] {
  const byKey = new Map<string, Record<string, string>>();
  for (const { key, language, text } of written) {
    const texts = byKey.get(key) ?? {};
    texts[language] = language in texts ? `${texts[language] ?? ''}\n${text}` : text;
    byKey.set(key, texts);
  }
  return [...byKey]
    .filter(([, texts]) => 'en' in texts)
    .map(([key, { en = '', de = '', fr = '', es = '', pt = '' }]) => ({ key, texts: { en, de, fr, es, pt } }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Compares the English texts with the digests. */
export function unreadTexts(texts: readonly TranslatedText[], digests: Digests): Unread {
  const keys = new Set(texts.map(({ key }) => key));
  return {
    changed: texts.filter((text) => digests.get(text.key) !== digestOf(text)),
    gone: [...digests.keys()].filter((key) => !keys.has(key)),
  };
}

/** Whether a key is meant: by its own name, or by the name of a group or folder that it is in. */
const isMeant = (key: string, name: string): boolean =>
  key === name || (/^[.:/]/.test(key.slice(name.length)) && key.startsWith(name));

/**
 * The digests after a person has looked at the translations of the named texts.
 * @param names keys, or the beginnings of keys up to a `.`, `:` or `/`
 * @throws if a name means no text
 */
export function lookedAt(texts: readonly TranslatedText[], digests: Digests, names: readonly string[]): Digests {
  for (const name of names)
    if (!texts.some(({ key }) => isMeant(key, name))) throw new Error(`There is no text with the key ${name}.`);
  return new Map(
    texts.flatMap((text) => {
      const digest = names.some((name) => isMeant(text.key, name)) ? digestOf(text) : digests.get(text.key);
      return digest === undefined ? [] : [[text.key, digest]];
    }),
  );
}

const fileName = 'translations.txt';
/** The folder whose file has the digest: `core`, or `plugins/auth`. */
const folderOf = (key: string): string => /^(?:core|plugins\/[^/:]+)/.exec(key)?.[0] ?? '';
const folders = (root: string): string[] => [
  'core',
  ...readdirSync(join(root, 'plugins'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `plugins/${name}`),
];

/** Reads the digests of core and of every product. Each line of a file is a key and its digest. */
export function readDigests(root: string): Digests {
  const lines = folders(root)
    .map((folder) => join(root, folder, fileName))
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'));
  return new Map(
    lines.flatMap((line) => {
      const [key, digest] = line.startsWith('#') ? [] : line.split(' ');
      return key && digest ? [[key, digest]] : [];
    }),
  );
}

const head =
  '# The English text that the translations of each key were last compared with (CONTRIBUTING.md, Translations).\n';

/** Writes the digests, sorted, so that changes of different texts merge. */
export function writeDigests(root: string, digests: Digests): void {
  for (const folder of folders(root)) {
    const lines = [...digests]
      .filter(([key]) => folderOf(key) === folder)
      .map(([key, digest]) => `${key} ${digest}\n`)
      .sort();
    const path = join(root, folder, fileName);
    if (lines.length > 0) writeFileSync(path, head + lines.join(''));
    else rmSync(path, { force: true });
  }
}

/** A text in all its languages, for a person who compares them. */
export const shown = ({ key, texts }: TranslatedText): string =>
  [key, ...languages.map((language) => `  ${language}  ${texts[language].replaceAll('\n', '\n      ')}`)].join('\n');
