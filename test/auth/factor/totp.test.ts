import { expect } from 'chai';
import { newTotpSecret, otpauthUrl, stepOfCode, totpSecretText } from '#plugins/auth/factors/totp.js';
import { qrSvg } from '#plugins/auth/factors/qr-code.js';

/** The secret and codes of RFC 6238, appendix B (SHA-1; their last six digits). */
const secret = Buffer.from('12345678901234567890');
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
] as const;

describe('TOTP', () => {
  for (const [seconds, code] of vectors)
    it(`accepts the code of RFC 6238 at ${seconds} s, one step early and late, and no further`, () => {
      const step = Math.floor(seconds / 30);
      const at = (offset: number): number | null => stepOfCode(secret, code, new Date((seconds + offset) * 1_000));
      expect([at(-30), at(0), at(30)]).to.deep.equal([step, step, step]);
      expect([at(-60), at(60)]).to.deep.equal([null, null]);
    });

  it('ignores white space, and refuses anything but six digits', () => {
    const now = new Date(59_000);
    for (const code of [' 287 082 ', '２８７０８２']) expect(stepOfCode(secret, code, now), code).to.equal(1);
    for (const code of ['287083', '28708', '94287082', '', '28708x', '２８７０８3'])
      expect(stepOfCode(secret, code, now), code).to.equal(null);
  });

  it('makes secrets of 160 bits, which the address names with issuer and label', () => {
    const made = newTotpSecret();
    expect(made.length).to.equal(20);
    const url = new URL(otpauthUrl(made, 'Shop: Köln & Co', 'ada@example.com'));
    expect(url.protocol).to.equal('otpauth:');
    expect(url.searchParams.get('secret')).to.equal(totpSecretText(made));
    expect(url.searchParams.get('issuer')).to.equal('Shop  Köln & Co');
    expect(decodeURIComponent(url.pathname)).to.match(/Shop {2}Köln & Co:ada@example\.com$/);
  });

  it('shows the address as an SVG that is named for screen readers', async () => {
    const svg = await qrSvg(otpauthUrl(secret, 'Shop', 'ada@example.com'));
    expect(svg).to.match(
      /^<svg role="img" aria-label="QR code[^"]*" xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/s,
    );
    expect(svg).to.not.include('<script');
  });
});
