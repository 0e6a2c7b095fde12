import { expect } from 'chai';
import { identifierOf } from '#plugins/auth/pages/identifier.js';

describe('What was entered at the sign-in page', () => {
  it('is a number where it is digits, however they are written', () => {
    const numbers = {
      '+49 1512 3456789': '+49 1512 3456789',
      '0049 1512/3456789': '+49 1512/3456789',
      ' (212) 555-0100 ': '(212) 555-0100',
    };
    for (const [entered, phone] of Object.entries(numbers))
      expect(identifierOf(entered), entered).to.deep.equal({ phone });
  });

  it('is an address otherwise', () => {
    for (const entered of ['ada@example.com', '49@example.com', '+49@example.com', 'ada', '', '+', '12'])
      expect(identifierOf(entered), entered).to.deep.equal({ email: entered });
  });

  it('is read in a moment, however long it is', () => {
    const entered = `${'\t'.repeat(60_000)}x`;
    const began = process.cpuUsage();
    expect(identifierOf(entered)).to.deep.equal({ email: entered });
    expect(process.cpuUsage(began).user / 1_000).to.be.lessThan(1_000);
  });
});
