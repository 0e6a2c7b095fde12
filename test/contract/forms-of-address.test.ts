import { expect } from 'chai';
import { readdir } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findPlugins } from '#core/kernel/find-plugins.js';
import { errorTexts } from '#core/surfaces/pages/error-texts.js';

type Language = 'de' | 'fr' | 'es' | 'pt';

/** Words of the familiar form of address and, in Portuguese, of the Brazilian variant (CONTRIBUTING.md, Translations). */
const wrong: Readonly<Record<Language, readonly string[]>> = {
  de: ['du', 'dich', 'dir', 'dein', 'deine', 'deinen', 'deinem', 'deiner', 'euch', 'euer'],
  fr: ['tu', 'te', 'toi', 'ton', 'ta', 'tes'],
  es: ['tú', 'tu', 'tus', 'te', 'ti', 'contigo', 'tuyo', 'tuyos', 'puedes', 'tienes', 'vosotros', 'vuestro'],
  pt: [
    'você',
    'vocês',
    'tu',
    'teu',
    'tua',
    'senha',
    'login',
    'aceito',
    'registro',
    'registros',
    'aplicativo',
    'salvar',
    'salvo',
  ],
};
const languages: readonly Language[] = ['de', 'fr', 'es', 'pt'];

/** All strings in a value, however deep; what a Liquid expression or a placeholder names is left out. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/\{\{.*?\}\}|\{%.*?%\}|\{\w+\}/g, ' ')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];
const wrongIn = (language: Language, texts: unknown): string[] =>
  stringsOf(texts).filter((text) => wordsOf(text).some((word) => wrong[language].includes(word)));

/** The texts of pages, mails and documents in one language: the files of plugins that are named after it. */
async function filesOf(language: Language): Promise<string[]> {
  const plugins = fileURLToPath(new URL('../../plugins/', import.meta.url));
  const paths = await readdir(plugins, { recursive: true });
  return paths.filter((path) => path.endsWith(`/${language}.ts`)).map((path) => pathToFileURL(plugins + path).href);
}

describe('The texts for people', () => {
  for (const language of languages)
    it(`address the reader alike on every page and in every mail: ${language}`, async () => {
      const plugins = await findPlugins();
      const templates = plugins.flatMap(({ systemTemplates = [] }) => systemTemplates);
      const files = await filesOf(language);
      expect(files.length).to.be.greaterThan(5);
      const texts: unknown[] = [
        errorTexts[language],
        ...templates.map(({ locales }) => locales[language]),
        ...(await Promise.all(files.map((file): Promise<unknown> => import(file)))),
      ];
      expect(texts.flatMap((each) => wrongIn(language, each))).to.deep.equal([]);
    });
});
