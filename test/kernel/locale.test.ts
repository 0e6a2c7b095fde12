import { expect } from 'chai';
import { canonicalLocale } from '#core/kernel/schema/locale.js';
import { languageOf } from '#core/kernel/language.js';

describe('A locale', () => {
  it('may have underscores, as systems write it', () => {
    for (const [given, canonical] of [
      ['de_DE', 'de-DE'],
      ['de_de', 'de-DE'],
      ['pt_BR', 'pt-BR'],
      ['zh_Hant_TW', 'zh-Hant-TW'],
      ['zh-Hant_TW', 'zh-Hant-TW'],
      ['de_DE.UTF-8', 'de-DE'],
      ['sr_RS@latin', 'sr-Latn-RS'],
      [' fr_CA ', 'fr-CA'],
      ['en', 'en'],
      ['en-gb', 'en-GB'],
    ] as const)
      expect(canonicalLocale(given), given).to.equal(canonical);
    for (const wrong of ['german', 'C', 'POSIX', 'de_', '_DE', 'de__DE', '', `de_${'x'.repeat(100_000)}`])
      expect(canonicalLocale(wrong), wrong.slice(0, 20)).to.equal(null);
    expect(languageOf('de_AT')).to.equal('de');
  });
});
