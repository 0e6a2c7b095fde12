import { expect } from 'chai';
import { parseAddress } from '#core/kernel/schema/email-address.js';
import { parsePhone, phoneForms, phoneKey } from '#core/kernel/schema/phone.js';
import { typedAddress, typedCode } from '#core/kernel/schema/typed.js';
import { stepOfCode } from '#plugins/auth/factors/totp.js';
import { typedUserCode } from '#plugins/auth/devices.js';
import { startedCode } from '#test/auth/support.js';
import { apiAt } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { HOTP, Secret } from 'otpauth';

const numbers = {
  '\u202d+1 415 555 2671\u202c': '+14155552671',
  '\u2068+14155552671\u2069': '+14155552671',
  '\ufeff+14155552671': '+14155552671',
  '+1\ufe0d-415-555-2671': '+14155552671',
  '+1\u00a0415\u2011555\u20112671': '+14155552671',
  '+1 415\u2013555\u22122671': '+14155552671',
  '+33\u202f6\u202f12\u202f34\u202f56\u202f78': '+33612345678',
  '+49 30/901820': '+4930901820',
  '\uff0b\uff18\uff11\uff19\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18': '+819012345678',
  '+\u0669\u0666\u0666\u0665\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668': '+966512345678',
  '+\u06f9\u06f8 912 345 6789': '+989123456789',
} as const;

const codes = {
  'full-width': '\uff12\uff17\uff11\uff18\uff12\uff18',
  'Arabic-Indic': '\u0662\u0667\u0661\u0668\u0662\u0668',
  Persian: '\u06f2\u06f7\u06f1\u06f8\u06f2\u06f8',
  Bengali: '\u09e8\u09ed\u09e7\u09ee\u09e8\u09ee',
  mathematical: '\u{1d7d0}\u{1d7d5}\u{1d7cf}\u{1d7d6}\u{1d7d0}\u{1d7d6}',
  'with an invisible mark': '\u200b271828',
  'between isolates': '\u2068271828\u2069',
  'with a dash': '271\u2013828',
  'with spaces': ' 271\u3000828 ',
} as const;

describe('What people type', () => {
  const platform = usePlatform();

  for (const [typed, number] of Object.entries(numbers))
    it(`is read as a number: ${JSON.stringify(typed)}`, () => {
      expect(parsePhone(typed)).to.deep.equal({ ok: true, number });
    });

  it('is refused if it may be two numbers, or a text', () => {
    for (const typed of [
      '+49 30 901820/21',
      '+49 30/901820/21',
      '+1 415 555 2671 ext 5',
      '+1 415 555 26\n71',
      '\u202d',
    ])
      expect(parsePhone(typed).ok, typed).to.equal(false);
  });

  for (const [name, typed] of Object.entries(codes))
    it(`is read as a code: ${name}`, () => {
      expect(typedCode(typed)).to.equal('271828');
    });

  it('is read as a code of an authenticator app or a device', () => {
    const secret = Buffer.from('12345678901234567890');
    const code = HOTP.generate({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }), counter: 1 });
    const persian = Array.from(code, (digit) => String.fromCodePoint(0x6f0 + Number(digit))).join('');
    expect(stepOfCode(secret, `\u2068${persian}\u2069`, new Date(45_000))).to.equal(1);
    expect(typedUserCode('\uff42\uff43df\u2010ghjk\u200b')).to.equal('BCDFGHJK');
  });

  it('is read as an address, and never as another one', () => {
    const read = (typed: string) => parseAddress(typedAddress(typed));
    for (const typed of [
      ' ada@example.com\u00a0',
      '\u202aada@example.com\u202c',
      'ada\u200b@exam\u2060ple.com',
      '\uff41da\uff20example\uff0ecom',
    ])
      expect(read(typed), JSON.stringify(typed)).to.deep.equal({ ok: true, address: 'ada@example.com' });
    expect(read('ada\u0661@example.com')).to.deep.equal({ ok: true, address: 'ada1@example.com' });
    // The joiner is part of this domain (RFC 5892, A.1).
    expect(read('ada@نامه\u200cای.example')).to.not.deep.equal(read('ada@نامهای.example'));
    for (const typed of ['ada @example.com', 'ada@example.com\r\nBcc: eve@example.com', '\u00e4da@example.com'])
      expect(read(typed).ok, typed).to.equal(false);
  });

  it('has one key for each phone: Mexico, Argentina, Brazil', () => {
    expect(parsePhone('+52 1 55 1234 5678')).to.deep.equal({ ok: true, number: '+525512345678' });
    expect(parsePhone('+55 11 8123-4567')).to.deep.equal({ ok: true, number: '+5511981234567' });
    const same = [
      ['+5215512345678', '+525512345678'],
      ['+541123456789', '+5491123456789'],
      ['+551171234567', '+5511971234567'],
    ] as const;
    for (const [other, key] of same) {
      expect(phoneKey(other)).to.equal(key);
      // What is no valid number today was never stored.
      const stored = parsePhone(other);
      const isStored = stored.ok && stored.number === other;
      expect(phoneForms(other))
        .to.deep.equal(phoneForms(key))
        .and.to.have.members(isStored ? [key, other] : [key]);
    }
    // Landlines of Brazil, and other countries, have one form.
    for (const number of ['+551123456789', '+14155552671']) expect(phoneForms(number)).to.deep.equal([number]);
  });

  itNeeding('audience')('reaches an operation read', async () => {
    const { svc } = await platform.account();
    const { contact } = await svc.call('audience.contact.upsert', {
      email: ' \u200bAda@example.com',
      phone: '\u202d+33\u202f6\u202f12\u202f34\u202f56\u202f78\u202c',
    });
    expect(contact).to.include({ email: 'Ada@example.com', phone: '+33612345678' });
    const found = await svc.call('audience.contact.get', { phone: '+\u0663\u0663612345678' });
    expect(found.contact.id).to.equal(contact.id);
  });

  itNeeding('auth')('is taken as the code of a sign-in', async () => {
    const account = await platform.account();
    const app = apiAt(
      () => platform.running.address,
      () => account.keys.live.publishable,
      () => platform.running.registry,
    );
    for (const code of [codes.Persian, codes['with a dash']]) {
      const challengeId = await startedCode(platform, account.live);
      expect((await app.call('auth.signin.verify', { challengeId, code })).status).to.equal('complete');
    }
  });
});
