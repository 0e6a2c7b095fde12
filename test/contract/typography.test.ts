import { expect } from 'chai';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { languages, type Language, type Translations } from '#core/kernel/language.js';
import { builtInSources } from '#plugins/email/templates/built-in.js';
import { linesOfDocuments, textsOfConsole } from './support/english-texts.js';
import { textsIn, wordsOnly, writtenTexts } from './support/written-texts.js';
import { systemTemplatesOf } from '#core/messaging/system-template.js';

/**
 * The texts of mails, pages and documents. Text messages are apart: their alphabet has neither no-break spaces nor
 * typographic quotes.
 */
const printed = async (language: Language) => (await textsIn(language)).filter(({ isSms }) => !isSms);

const withoutTags = (text: string): string => text.replace(/\{%.*?%\}|<[^>]*>/g, '');
const countOf = (text: string, character: string): number => text.split(character).length - 1;

/**
 * Spaces that let a French line begin with a sign, and signs without theirs: a no-break space is before `:`, `%` and
 * `»` and after `«`, a narrow one before `;`, `!` and `?` (Lexique des règles typographiques en usage à l’Imprimerie
 * nationale).
 */
const frenchSpaces =
  / [:;!?»%]|« |\u00a0[;!?]|\u202f[:»%]|[^\u00a0\d]:(?:\s|$)|[^\u202f\s][;!?](?:\s|$)|[^\u00a0]»|«[^\u00a0]/;

/** Quotes of other languages. */
const foreignQuotes: Translations<RegExp> = {
  en: /[„«»"]/,
  de: /[«»"]/,
  fr: /[“”„"]/,
  es: /[“”„"]/,
  pt: /[“”„"]/,
};

/**
 * French words that lose their vowel before a name that begins with one: “de Acme” is an error, “du compte Acme” is
 * none.
 */
const elided = /(?<!\p{L})(?:de|que|jusque|lorsque|puisque|le|la|ne|se|me|ce) (?:\{\w|\{\{)/iu;
/** Values that begin with a digit. */
const numeric = /\{\{ (?:amount|refunded|cap|percent|minutes|days|dueDate) \}\}|\{(?:count|percent|page)\}/g;

/** A count followed by a noun, which would have to be in the singular for 1. A password’s length is never 1. */
const countedNoun =
  /\{\{? ?(?:count|attempts|bounced|recipients|keyCount|endpointCount)(?: \}|\})\}? (?!of\b|von\b|sur\b|de\b)\p{L}/u;

describe('The typography of texts for people', () => {
  const places = (texts: readonly { place: string; text: string }[], isWrong: (text: string) => boolean): string[] =>
    texts.filter(({ text }) => isWrong(text)).map(({ place, text }) => `${place}: ${text}`);

  it('keeps French signs on the line of their word', async () => {
    expect(places(await printed('fr'), (text) => frenchSpaces.test(withoutTags(text)))).to.deep.equal([]);
  });

  it('keeps them so where the text of a mail joins a label and a link', async () => {
    const systemTemplates = (await findPlugins()).flatMap((plugin) => plugin.systemTemplates ?? []);
    for (const template of systemTemplatesOf({ systemTemplates }))
      if (template.channel === 'email') {
        const { fr, de } = builtInSources(template);
        expect(fr?.text, template.name).not.to.match(/ :/);
        expect(de?.text, template.name).not.to.match(/\u00a0:/);
      }
  });

  it('puts a no-break space before the sign for percent, and none in English', async () => {
    for (const language of languages) {
      const wrong = language === 'en' ? /[\d}]\s%(?!\})/ : /[\d}] ?%(?!\})/;
      expect(places(await printed(language), (text) => wrong.test(withoutTags(text)))).to.deep.equal([]);
    }
  });

  it('uses the quotes and apostrophes of each language', async () => {
    for (const language of languages) {
      const read = (await printed(language)).map(({ place, text }) => ({ place, text: withoutTags(wordsOnly(text)) }));
      expect(places(read, (text) => foreignQuotes[language].test(text))).to.deep.equal([]);
      expect(places(read, (text) => /\p{L}'\p{L}/u.test(text))).to.deep.equal([]);
      if (language === 'de')
        expect(places(read, (text) => countOf(text, '„') !== countOf(text, '“'))).to.deep.equal([]);
      if (language === 'es')
        expect(
          places(
            read,
            (text) => countOf(text, '¿') !== countOf(text, '?') || countOf(text, '¡') !== countOf(text, '!'),
          ),
        ).to.deep.equal([]);
    }
  });

  it('has only characters of phones in text messages, beside the letters of the language', async () => {
    const { texts } = await writtenTexts();
    const phones = texts.filter(({ isSms }) => isSms);
    expect(places(phones, (text) => /[’“”„«»…–\u00a0\u202f]/.test(text))).to.deep.equal([]);
  });
});

describe('The grammar of texts with values', () => {
  const texts = async () => (await writtenTexts()).texts.map(({ place, text }) => `${place}: ${text}`);

  it('puts no reason, which is a sentence, behind a colon', async () => {
    expect((await texts()).filter((text) => /: \{\{? ?reason/.test(text))).to.deep.equal([]);
  });

  it('puts no French word before a name that would have to lose its vowel there', async () => {
    const french = (await textsIn('fr')).map(({ place, text }) => `${place}: ${text.replace(numeric, '1')}`);
    expect(french.filter((text) => elided.test(text))).to.deep.equal([]);
  });

  it('never counts a noun that would have another form for 1', async () => {
    const counted = (await texts()).filter((text) => countedNoun.test(text));
    expect(counted.filter((text) => !/passwordHint|password_too_(short|long)/.test(text))).to.deep.equal([]);
  });
});

describe('Languages', () => {
  it('each have a text wherever one has: in every table, and in every folder with a file for each', async () => {
    const { tables, folders } = await writtenTexts();
    expect(tables.length).to.be.greaterThan(15);
    expect(folders.length).to.be.greaterThan(5);
    for (const { place, languages: found } of [...tables, ...folders])
      expect(found, place).to.have.members([...languages]);
  });
});

/** Spellings and words of CONTRIBUTING.md (Translations) that are wrong in documents and in the console. */
const wrongEnglish: Readonly<Record<string, RegExp>> = {
  'write 5%, without a space': /\d\s%(?!\})/,
  'write -ize':
    /\b(?:recogni|organi|authori|synchroni|sanit?i|normali|materiali|initiali|summari|seriali|customi|optimi)s(?:e|es|ed|ing|ation)\b/i,
  'write email': /\be-mails?\b/i,
  'write an email, emails':
    /\b(?:an? mail(?! ?(?:server|provider|address|client|program|app|host|domain|relay|queue|system|transport))|mails)\b/i,
  'write startup':
    /\bstart-up\b|\b(?:at|during) the start\b(?! of)|\bthe start (?:says|checks|stops|prints|reports|refuses|shows)\b/i,
};

describe('The English of documents and of the console', () => {
  const documents = linesOfDocuments();
  const screens = textsOfConsole();
  const found = (texts: readonly { place: string; text: string }[], wrong: RegExp): string[] =>
    texts.filter(({ text }) => wrong.test(text)).map(({ place, text }) => `${place}: ${text}`);

  for (const [rule, wrong] of Object.entries(wrongEnglish))
    it(`has the spelling of CONTRIBUTING.md: ${rule}`, () => {
      expect(found(documents, wrong)).to.deep.equal([]);
      expect(found(screens, wrong)).to.deep.equal([]);
    });

  it('has typographic apostrophes in the console', () => {
    expect(screens.length).to.be.greaterThan(500);
    expect(found(screens, /\p{L}'\p{L}/u)).to.deep.equal([]);
  });
});
