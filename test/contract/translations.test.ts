import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { languages } from '#core/kernel/language.js';
import { writtenTexts, type WrittenText } from './support/written-texts.js';
import { lookedAt, readDigests, shown, translatedTexts, unreadTexts, writeDigests } from './translations/looked-at.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const written = (key: string, text: string): WrittenText[] =>
  languages.map((language) => ({ language, key, place: key, text: `${text} ${language}`, isSms: false }));

describe('Translations', function () {
  // Reads every source.
  this.timeout(120_000);

  it('were looked at after their English last changed: npm run translations lists those that were not', async () => {
    const texts = translatedTexts((await writtenTexts()).texts);
    expect(texts.length).to.be.greaterThan(600);
    const { changed, gone } = unreadTexts(texts, readDigests(root));
    expect(changed.map(shown), 'npm run translations -- --looked-at KEY… after you have corrected them').to.deep.equal(
      [],
    );
    expect(gone, 'npm run translations removes these').to.deep.equal([]);
  });

  it('have the key of their English, wherever the texts are: in a file for each language, or in one table', async () => {
    const { texts } = await writtenTexts();
    const english = new Set(texts.filter(({ language }) => language === 'en').map(({ key }) => key));
    expect(texts.filter(({ key }) => !english.has(key))).to.deep.equal([]);
    expect([...english]).to.include.members([
      'plugins/auth/mails/texts:notices.new_device.body',
      'plugins/email/domains/mail-texts:pendingMail.locales.body',
    ]);
  });

  describe('are to be looked at', () => {
    const before = translatedTexts([...written('core/a:first', 'One'), ...written('plugins/b/c:second.x', 'Two')]);
    const after = translatedTexts([...written('core/a:first', 'One'), ...written('plugins/b/c:second.x', 'Three')]);
    const digests = lookedAt(before, new Map(), ['core/a:first', 'plugins/b']);

    it('if their English changes, or is new', () => {
      expect(unreadTexts(before, new Map()).changed.map(({ key }) => key)).to.deep.equal([
        'core/a:first',
        'plugins/b/c:second.x',
      ]);
      expect(unreadTexts(before, digests)).to.deep.equal({ changed: [], gone: [] });
      const [only, ...others] = unreadTexts(after, digests).changed;
      expect(others).to.deep.equal([]);
      expect(only && shown(only)).to.equal(
        'plugins/b/c:second.x\n  en  Three en\n  de  Three de\n  fr  Three fr\n  es  Three es\n  pt  Three pt',
      );
    });

    it('until somebody says so, of their own key or of all below a name', () => {
      expect(unreadTexts(after, lookedAt(after, digests, ['core/a:first'])).changed).to.have.length(1);
      for (const name of ['plugins/b/c:second.x', 'plugins/b/c:second', 'plugins/b/c', 'plugins/b'])
        expect(unreadTexts(after, lookedAt(after, digests, [name])).changed, name).to.deep.equal([]);
      for (const unknown of ['plugins/b/c:sec', 'plugins/x', ''])
        expect(() => lookedAt(after, digests, [unknown]), unknown).to.throw('There is no text with the key');
    });

    it('and not for words that were only in a text that is gone', () => {
      const rest = after.slice(0, 1);
      expect(unreadTexts(rest, digests).gone).to.deep.equal(['plugins/b/c:second.x']);
      expect(unreadTexts(rest, lookedAt(rest, digests, []))).to.deep.equal({ changed: [], gone: [] });
    });

    it('as the files say, one for core and one for each product', () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-translations-'));
      try {
        mkdirSync(join(folder, 'core'));
        mkdirSync(join(folder, 'plugins/b'), { recursive: true });
        writeDigests(folder, digests);
        expect(readDigests(folder)).to.deep.equal(digests);
        writeDigests(folder, new Map());
        expect(readDigests(folder).size).to.equal(0);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});
