import { expect } from 'chai';
import { hasWebAddress, shownName } from '#core/kernel/schema/plain-name.js';

describe('names in messages', () => {
  it('are shown in one line and without a web address, however they came to have one', () => {
    const shown: readonly (readonly [string, string])[] = [
      ['Ada King', 'Ada King'],
      ['Ada’s\nlaptop', 'Ada’s laptop'],
      ['St. Gallen e.V.', 'St. Gallen e.V.'],
      ['ada@example.com', 'ada@example.com'],
      ['+4915123456789', '+4915123456789'],
      ['Chrome 131, macOS', 'Chrome 131, macOS'],
      ['confirm at https://svc-login.example/verify', 'confirm at https svc-login. example/verify'],
      ['www.evil.example', 'www. evil. example'],
      ['evil．example', 'evil. example'],
      ['ev\u200Bil.example', 'evil. example'],
      ['203.0.113.9/login', '203. 0. 113. 9/login'],
      ['evil.example/x@a.example', 'evil. example/x@a. example'],
      ['https:evil', 'https evil'],
    ];
    for (const [given, expected] of shown) expect(shownName(given), given).to.equal(expected);
    for (const [given] of shown)
      if (!given.includes('@')) expect(hasWebAddress(shownName(given).replace('www. ', '')), given).to.equal(false);
  });
});
