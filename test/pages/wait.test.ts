import { expect } from 'chai';
import { languages } from '#core/kernel/language.js';
import { formatWait } from '#core/surfaces/pages/texts.js';

describe('A wait on a page', () => {
  it('is in seconds below 90, then in minutes, rounded up', () => {
    expect([1, 45, 89, 90, 121, 2_650].map((seconds) => formatWait('en', seconds))).to.deep.equal([
      '1 second',
      '45 seconds',
      '89 seconds',
      '2 minutes',
      '3 minutes',
      '45 minutes',
    ]);
  });

  it('has its unit in the reader’s language', () => {
    const written = languages.map((lang) => formatWait(lang, 598).replace(/\s/, ' '));
    expect(written).to.deep.equal(['10 minutes', '10 Minuten', '10 minutes', '10 minutos', '10 minutos']);
  });
});
