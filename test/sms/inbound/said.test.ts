import { expect } from 'chai';
import { languages } from '#core/kernel/language.js';
import { preferencesTexts } from '#plugins/audience/pages/preferences/translations.js';
import { matchKeyword, type KeywordMatch } from '#plugins/sms/keywords/match.js';
import { phrasesOf } from '#plugins/sms/keywords/patterns.js';
import { others } from './said-otherwise.js';
import { starts, stops, textsOf } from './said.js';

const match = (text: string): KeywordMatch | null => matchKeyword(text, { stop: [], start: [], help: [] });

describe('what people write to end texts and to get them again', () => {
  for (const [language, list] of Object.entries(stops))
    for (const text of textsOf(list))
      it(`${language}: “${text}” is STOP`, () => {
        expect(match(text)?.keyword).to.equal('stop');
        for (const spelling of [text.toUpperCase(), text.toLowerCase(), ` ${text}. `, `${text} 🙏`])
          expect(match(spelling)?.keyword, spelling).to.equal('stop');
      });

  for (const language of languages) {
    for (const text of textsOf(starts[language].always, ';'))
      it(`${language}: “${text}” is START`, () => {
        expect(match(text)).to.include({ keyword: 'start', onlyAfterStop: false });
      });
    for (const text of textsOf(starts[language].afterStop, ';'))
      it(`${language}: “${text}” is START from a person who has said STOP`, () => {
        expect(match(text)).to.include({ keyword: 'start', onlyAfterStop: true });
      });
  }

  for (const text of textsOf(others))
    it(`“${text}” is not a keyword`, () => {
      expect(match(text)).to.equal(null);
    });

  it('knows the words of the buttons of svc’s own preferences page', () => {
    for (const language of languages) {
      const { sms } = preferencesTexts[language].channels;
      expect(match(sms.unsubscribe)?.keyword, sms.unsubscribe).to.equal('stop');
      expect(match(sms.allow)?.keyword, sms.allow).to.equal('start');
    }
  });

  it('patterns have a phrase for each choice, and umlauts and apostrophes as people type them', () => {
    expect(phrasesOf('(no|not any) more (texts|)')).to.have.members([
      'NO MORE TEXTS',
      'NO MORE',
      'NOT ANY MORE TEXTS',
      'NOT ANY MORE',
    ]);
    expect(phrasesOf('kündigen')).to.have.members(['KUNDIGEN', 'KUENDIGEN']);
    expect(phrasesOf('m’écrire')).to.have.members(['MECRIRE', 'M ECRIRE']);
  });
});
