import { expect } from 'chai';
import { scryptSync } from 'node:crypto';
import { hashSync as bcryptOf } from 'bcryptjs';
import { usePlatform } from '#test/support/platform.js';
import { asApp, storedHash, userWithPassword } from './support.js';

const salt = Buffer.from('saltsaltsaltsalt');
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
const scryptOf = (text: string): string =>
  `$scrypt$ln=4,r=8,p=1$${base64(salt)}$${base64(scryptSync(text, salt, 32, { N: 16, r: 8, p: 1 }))}`;

/** 81 bytes: bcrypt reads 72 of them. */
const long = 'correct horse battery staple, and then some more words to pass seventy-two bytes!';
const own = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

describe('A password that another system hashed', () => {
  const platform = usePlatform();

  it('is not replaced by text that its hash does not depend on', async () => {
    const account = await platform.account();
    const app = asApp(platform, account);
    const cases = [
      [bcryptOf(long, 4), `${long.slice(0, 72)}something else`],
      [bcryptOf(long, 4), long.slice(0, 72)],
      [`bcrypt$${bcryptOf(long, 4)}`, long.slice(0, 72)],
    ] as const;
    for (const [index, [hash, other]] of cases.entries()) {
      const email = `user${index}@example.com`;
      const userId = await userWithPassword(platform, account.live, email, hash);
      await app.call('auth.password.signin', { email, password: other });
      expect(await storedHash(platform, userId), hash).to.equal(hash);
      await app.call('auth.password.signin', { email, password: long });
    }
  });

  it('fits in each of Unicode’s normal forms, and is stored in svc’s', async () => {
    const account = await platform.account();
    const app = asApp(platform, account);
    const typed = 'Grüße-aus-Köln²';
    const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => typed.normalize(form));
    expect(new Set(forms).size).to.equal(4);
    for (const [index, hashed] of forms.entries()) {
      const email = `user${index}@example.com`;
      const userId = await userWithPassword(platform, account.live, email, scryptOf(hashed));
      await app.call('auth.password.signin', { email, password: typed });
      expect(await storedHash(platform, userId)).to.match(own);
      await app.call('auth.password.signin', { email, password: typed.normalize('NFKD') });
      const { code } = await app.refusal('auth.password.signin', { email, password: 'Gruße-aus-Köln²' });
      expect(code).to.equal('invalid_credentials');
    }
  });
});
