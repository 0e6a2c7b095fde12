import { expect } from 'chai';
import { parseHash } from '#plugins/auth/passwords/formats/parse.js';
import { standIn } from '#plugins/auth/passwords/schemes.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { asApp, password, userWithPassword } from './support.js';

describe('A wrong password where users were imported with slow hashes', () => {
  const platform = usePlatform();
  /** 0.3 s of a core. */
  const slow = '$2b$12$EIXMTA0gcqfeVWZQ5yWMLeXaTTsPXMkkHRgy4pRqZl5hWgWXcPxsS';

  it('costs as much for an unknown address and for a user of svc as for one of them', async function () {
    this.timeout(120_000);
    const account = await platform.account();
    const app = asApp(platform, account);
    await userWithPassword(platform, account.live);
    const users = [{ email: 'imported@example.com', emailVerified: true, passwordHash: slow }];
    await account.svc.call('auth.user.import', { users });
    const quickest = new Map<string, number>();
    for (let each = 0; each < 5; each += 1)
      for (const email of ['imported@example.com', 'nobody@example.com', 'ada@example.com']) {
        platform.clock.advance(minutes(10));
        const before = process.cpuUsage();
        const { code } = await app.refusal('auth.password.signin', { email, password: 'wrong password' });
        expect(code).to.equal('invalid_credentials');
        // The time of the processor, because what else the machine does is not the server's.
        const { user, system } = process.cpuUsage(before);
        quickest.set(email, Math.min(quickest.get(email) ?? Infinity, user + system));
      }
    const [imported = 0, unknown = 0, own = 0] = quickest.values();
    // svc's own hash takes a thirtieth of the imported one.
    for (const each of [unknown, own]) expect(each / imported).to.be.within(0.6, 1.6);
    platform.clock.advance(minutes(10));
    await app.call('auth.password.signin', { email: 'ada@example.com', password });
  });

  it('is found out for users who were imported before, by the first one who is tried', async () => {
    const account = await platform.account();
    const users = [{ email: 'imported@example.com', emailVerified: true, passwordHash: slow.replace('$12$', '$05$') }];
    await account.svc.call('auth.user.import', { users });
    await platform.running.services.database.run('DELETE FROM auth_password_scheme');
    const wrong = { email: 'imported@example.com', password: 'wrong password' };
    const { code } = await asApp(platform, account).refusal('auth.password.signin', wrong);
    expect(code).to.equal('invalid_credentials');
    expect(await platform.count('auth_password_scheme')).to.equal(1);
  });

  it('is refused with its own code, for everybody alike, where not every form of the text could be tried', async function () {
    this.timeout(120_000);
    const account = await platform.account();
    const app = asApp(platform, account);
    // About a second: one form of it fits in the time of a sign-in, and the next does not.
    const costly = slow.replace('$12$', '$14$');
    const users = [{ email: 'imported@example.com', emailVerified: true, passwordHash: costly }];
    await account.svc.call('auth.user.import', { users });
    await userWithPassword(platform, account.live);
    for (const email of ['imported@example.com', 'nobody@example.com', 'ada@example.com']) {
      const { code, fix } = await app.refusal('auth.password.signin', { email, password: 'pa\u00dfw\u00f6rt' });
      expect([email, code]).to.deep.equal([email, 'password_partly_checked']);
      expect(fix).to.contain('auth.signin.start');
    }
    const plain = await app.refusal('auth.password.signin', { email: 'nobody@example.com', password: 'plain text' });
    expect(plain.code).to.equal('invalid_credentials');
    await app.call('auth.password.signin', { email: 'ada@example.com', password });
  });

  it('is measured with a hash of nobody, which costs the same', () => {
    for (const hash of [
      slow,
      `bcrypt$${slow}`,
      '$argon2i$v=19$m=256,t=2,p=2$c29tZXNhbHQ$T/XOJ2mh1/TIpJHfCdQan76Q5esCFVoT5MAeIM1Oq2E',
      '$scrypt$ln=4,r=8,p=1$c29tZXNhbHQ$T/XOJ2mh1/TIpJHfCdQan76Q5esCFVoT5MAeIM1Oq2E',
      'scrypt$16$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==',
      'scrypt:16:8:1$wbldSpjxdAuaub3o$b7ddc3a795be984c484e917bface116d41fb8baff1a6749ee892a5b95e8f00207e152291043e66464fe29b6d893aaddf6c1eb915c6c20bd18cac7aabd755ac77',
      'pbkdf2_sha256$10$seasalt$T/XOJ2mh1/TIpJHfCdQan76Q5esCFVoT5MAeIM1Oq2E=',
    ]) {
      const nobody = standIn(hash);
      expect(nobody).to.have.length(hash.length);
      expect(nobody).to.not.equal(hash);
      expect(standIn(nobody)).to.equal(nobody);
      const parsed = parseHash(nobody);
      expect(parsed.ok, nobody).to.equal(true);
      expect(parsed.ok && parsed.verify('password')).to.equal(false);
    }
  });
});
