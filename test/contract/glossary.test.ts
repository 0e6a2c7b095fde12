import { expect } from 'chai';
import { languages, type Translations } from '#core/kernel/language.js';
import { de } from './glossary/de.js';
import { en } from './glossary/en.js';
import { es } from './glossary/es.js';
import { fr } from './glossary/fr.js';
import { pt } from './glossary/pt.js';
import { concepts, type Glossary } from './glossary/terms.js';
import { textsIn, wordsOnly } from './support/written-texts.js';

const glossaries: Translations<Glossary> = { en, de, fr, es, pt };

/** Names of operations and commands are the same in every language. */
const withoutNames = (text: string): string => wordsOnly(text).replace(/\b[a-z]+(?:\.[a-z]+)+\b|\(svc [a-z ]+\)/g, ' ');

const atWord = (word: string): RegExp => new RegExp(`(?<![\\p{L}-])${word}`, 'iu');

describe('The words of texts for people', () => {
  for (const language of languages)
    it(`are those of the glossary, one for each thing: ${language}`, async () => {
      const texts = (await textsIn(language)).map(({ place, text }) => ({ place, text: withoutNames(text) }));
      for (const concept of concepts) {
        const { use, not = [] } = glossaries[language][concept];
        expect(
          texts.some(({ text }) => new RegExp(use, 'iu').test(text)),
          `no text says ${use}`,
        ).to.equal(true);
        for (const synonym of not) {
          const found = texts.filter(({ text }) => atWord(synonym).test(text));
          expect(found, `“${synonym}” is not the word for ${concept}`).to.deep.equal([]);
        }
      }
    });
});
