import { expect } from 'chai';
import { languages, type Language, type Translations } from '#core/kernel/language.js';
import { textsIn, wordsOnly, type WrittenText } from './support/written-texts.js';

/**
 * Words of the familiar form of address and, in Portuguese, of the Brazilian variant (CONTRIBUTING.md, Translations).
 */
const familiar: Translations<readonly string[]> = {
  en: [],
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

/** Words that take the reader, or whoever is meant, for a man. */
const masculine: Translations<RegExp> = {
  en: /\b(?:he|him|his)\b/i,
  de: /\b(?:der einzige|einziger|alleiniger) inhaber\b/i,
  fr: /·|\bvous (?:êtes|étiez|serez|avez été) (?:\p{L}+ )?(?:connecté|déconnecté|invité|abonné|désabonné|inscrit|redirigé|dirigé)\b|\bseul propriétaire|\bvous a (?:dirigé|conduit|connecté|invité)\b/iu,
  es: /\b(?:bienvenido|es el único|usted mismo|ha sido invitado|seguro de)\b|\bestá (?:suscrito|registrado|seguro)\b/i,
  pt: /\b(?:obrigado|bem-vindo|é o único|convidou-o|foi convidado|o próprio)\b|\bestá (?:registado|inscrito|subscrito)\b/i,
};

const wordsOf = (text: string): string[] =>
  wordsOnly(text)
    .toLowerCase()
    .match(/\p{L}+/gu) ?? [];

const offending = async (language: Language, isWrong: (text: string) => boolean): Promise<string[]> =>
  (await textsIn(language))
    .filter(({ text }) => isWrong(text))
    .map(({ place, text }: WrittenText) => `${place}: ${text}`);

describe('The texts for people', () => {
  for (const language of languages) {
    it(`address the reader alike on every page and in every mail: ${language}`, async () => {
      expect((await textsIn(language)).length).to.be.greaterThan(500);
      const wrong = familiar[language];
      expect(await offending(language, (text) => wordsOf(text).some((word) => wrong.includes(word)))).to.deep.equal([]);
    });

    it(`suit women and men: ${language}`, async () => {
      expect(await offending(language, (text) => masculine[language].test(wordsOnly(text)))).to.deep.equal([]);
    });
  }
});
