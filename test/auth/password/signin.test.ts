import { expect } from 'chai';
import { acceptPassword } from '#plugins/auth/passwords/stored.js';
import { passwords } from '#plugins/auth/tables/password.js';
import { users } from '#plugins/auth/tables/user.js';
import { identities } from '#plugins/auth/tables/identity.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { asApp, foreignHash, password, storedHash, userWithPassword } from './support.js';

describe('auth.password.signin', () => {
  const platform = usePlatform();
  const database = () => platform.running.services.database;

  it('signs a user in, whatever the case of the address, with tokens of a session that passed a password', async () => {
    const account = await platform.account();
    const userId = await userWithPassword(platform, account.live);
    const app = asApp(platform, account);
    const { status, tokens, user, mfa } = await app.call('auth.password.signin', {
      email: 'Ada@Example.com',
      password,
    });
    expect({ status, mfa, id: user?.id }).to.deep.equal({ status: 'complete', mfa: null, id: userId });
    expect(user?.lastSignInAt).to.equal(platform.clock.now().toISOString());
    expect(tokens?.accessToken).to.be.a('string');
    const [event] = (await platform.events(account.live)).filter(({ type }) => type === 'auth.signin.completed');
    expect(event?.data).to.have.nested.property('session.methods').that.deep.equals(['password']);
  });

  it('takes no password that was changed or removed while it was checked, whichever system hashed it', async () => {
    const account = await platform.account();
    const { transaction, database: db } = platform.running.services;
    for (const [email, stored, rehash] of [
      ['own@example.com', undefined, undefined],
      ['foreign@example.com', foreignHash, 'another hash of the same password'],
    ] as const) {
      const userId = await userWithPassword(platform, account.live, email, stored);
      const checked = await db.findOne(passwords, { userId });
      if (!checked) throw new Error('The user does not have a password.');
      const accepted = (): Promise<boolean> =>
        transaction('Test', async (context) => acceptPassword(context, { stored: checked, rehash }));
      expect(await accepted(), email).to.equal(true);
      await db.update(
        passwords,
        { userId },
        { hash: 'a hash of the new password', updatedAt: new Date(checked.updatedAt.getTime() + 1) },
      );
      expect(await accepted(), email).to.equal(false);
      await db.remove(passwords, { userId });
      expect(await accepted(), email).to.equal(false);
    }
  });

  it('tells an unknown address, a wrong password, a user without one and a banned user with a wrong one alike', async () => {
    const account = await platform.account();
    const app = asApp(platform, account);
    await userWithPassword(platform, account.live);
    const banned = await userWithPassword(platform, account.live, 'banned@example.com');
    await database().update(users, { id: banned }, { bannedAt: platform.clock.now() });
    await database().remove(identities, {
      userId: await userWithPassword(platform, account.live, 'former@example.com'),
    });
    const answers = [];
    for (const email of ['ada@example.com', 'nobody@example.com', 'banned@example.com', 'former@example.com'])
      answers.push(await app.refusal('auth.password.signin', { email, password: 'wrong password' }));
    const [first, ...others] = answers.map(({ status, code, message, fix, details, headers }) => ({
      ...{ status, code, message, fix, details },
      headers: [...headers.keys()].sort(),
      length: headers.get('content-length'),
    }));
    expect(first).to.include({ status: 401, code: 'invalid_credentials' });
    for (const other of others) expect(other).to.deep.equal(first);
  });

  it('writes as many rows for an unknown address as for a wrong password', async () => {
    const account = await platform.account();
    const app = asApp(platform, account);
    await userWithPassword(platform, account.live);
    const tables = await database().rows<{ name: string }>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    const counts = async (): Promise<number[]> => Promise.all(tables.map(({ name }) => platform.count(`\`${name}\``)));
    const written = async (email: string): Promise<number[]> => {
      await platform.settled();
      const before = await counts();
      await app.refusal('auth.password.signin', { email, password: 'wrong password' });
      await platform.settled();
      return (await counts()).map((count, index) => count - (before[index] ?? 0));
    };
    await app.refusal('auth.password.signin', { email: 'other@example.com', password: 'x' });
    expect(await written('nobody@example.com')).to.deep.equal(await written('ada@example.com'));
  });

  it('tells a ban with the right password alone, and reports it', async () => {
    const account = await platform.account();
    const userId = await userWithPassword(platform, account.live);
    await database().update(users, { id: userId }, { bannedAt: platform.clock.now() });
    const app = asApp(platform, account);
    const { status, text } = await app.raw(
      '/auth/password/signin',
      JSON.stringify({ email: 'ada@example.com', password }),
    );
    expect(status).to.equal(403);
    expect(text).to.contain('"code":"user_banned"');
    const failed = (await platform.events(account.live)).filter(({ type }) => type === 'auth.signin.failed');
    expect(failed.map(({ data }) => data)).to.deep.equal([{ method: 'password', reason: 'user_banned', userId }]);
  });

  it('reports failures, with the user whose address was tried', async () => {
    const account = await platform.account();
    const userId = await userWithPassword(platform, account.live);
    const app = asApp(platform, account);
    for (const email of ['ada@example.com', 'nobody@example.com'])
      await app.refusal('auth.password.signin', { email, password: 'wrong password' });
    const failed = (await platform.events(account.live)).filter(({ type }) => type === 'auth.signin.failed');
    expect(failed.map(({ data }) => data)).to.deep.equal([
      { method: 'password', reason: 'invalid_credentials', userId },
      { method: 'password', reason: 'invalid_credentials', userId: null },
    ]);
  });

  it('replaces another system’s hash by argon2id at the first sign-in, also when there are two at once', async () => {
    const account = await platform.account();
    const app = asApp(platform, account);
    const userId = await userWithPassword(platform, account.live, 'ada@example.com', foreignHash);
    await app.refusal('auth.password.signin', { email: 'ada@example.com', password: 'wrong password' });
    expect(await storedHash(platform, userId)).to.equal(foreignHash);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => app.call('auth.password.signin', { email: 'ada@example.com', password })),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(['complete', 'complete', 'complete']);
    const replaced = await storedHash(platform, userId);
    expect(replaced).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await app.call('auth.password.signin', { email: 'ada@example.com', password });
    expect(await storedHash(platform, userId)).to.equal(replaced);
  });

  it('lets five guesses of an address through in ten minutes, however many come at once to two nodes, and the right one no more', async () => {
    const account = await platform.account();
    const node = await platform.secondNode();
    await userWithPassword(platform, account.live);
    const apps = [asApp(platform, account), asApp(platform, account, node)];
    const guess = (app: (typeof apps)[number]) =>
      app.refusal('auth.password.signin', { email: 'ada@example.com', password: 'guess' });
    const codes = (
      await Promise.all(
        Array.from({ length: 10 }, () => apps)
          .flat()
          .map(guess),
      )
    ).map(({ code }) => code);
    expect(codes.filter((code) => code === 'invalid_credentials')).to.have.length(5);
    expect(codes.filter((code) => code === 'rate_limited')).to.have.length(15);
    const right = { email: 'ada@example.com', password };
    expect(await apps[0]?.refusal('auth.password.signin', right)).to.include({ code: 'rate_limited' });
    platform.clock.advance(minutes(10));
    expect((await apps[0]?.call('auth.password.signin', right))?.status).to.equal('complete');
    await node.stop();
  });

  it('lets 30 guesses of a client through in ten minutes, whatever addresses it tries', async () => {
    const account = await platform.account();
    const app = asApp(platform, account);
    const answers = await Promise.all(
      Array.from({ length: 35 }, (_, index) =>
        app.refusal('auth.password.signin', { email: `user-${index}@example.com`, password: 'guess' }),
      ),
    );
    expect(answers.filter(({ code }) => code === 'invalid_credentials')).to.have.length(30);
    expect(answers.filter(({ code }) => code === 'rate_limited')).to.have.length(5);
  });

  it('hands the session over to an allowed address, and to no other', async () => {
    const account = await platform.account();
    await userWithPassword(platform, account.live);
    const app = asApp(platform, account);
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const input = { email: 'ada@example.com', password, handoff: true };
    const { status, tokens, user, redirectTo } = await app.call('auth.password.signin', {
      ...input,
      redirectTo: 'https://app.example.com/in?from=form',
    });
    expect({ status, tokens, user }).to.deep.equal({ status: 'handoff', tokens: null, user: null });
    expect(redirectTo).to.match(/^https:\/\/app\.example\.com\/in\?from=form&svc_code=svc_hc_/);
    expect(await app.refusal('auth.password.signin', { ...input, redirectTo: 'https://evil.example' })).to.include({
      code: 'redirect_not_allowed',
    });
    expect(await app.refusal('auth.password.signin', input)).to.include({ code: 'invalid_input' });
  });

  it('can be turned off', async () => {
    const account = await platform.account();
    await userWithPassword(platform, account.live);
    await account.svc.call('auth.settings.set', { methods: { password: { enabled: false } } });
    const input = { email: 'ada@example.com', password };
    expect(await asApp(platform, account).refusal('auth.password.signin', input)).to.include({
      code: 'method_disabled',
    });
  });

  it('does not find users of the other environment', async () => {
    const account = await platform.account();
    await userWithPassword(platform, account.test);
    const input = { email: 'ada@example.com', password };
    expect(await asApp(platform, account).refusal('auth.password.signin', input)).to.include({
      code: 'invalid_credentials',
    });
  });

  it('leaves no password in the database or the log', async () => {
    const account = await platform.account();
    await userWithPassword(platform, account.live);
    const secret = 'canary-7c1f5e';
    const app = asApp(platform, account);
    await app.refusal(
      'auth.password.signin',
      { email: 'ada@example.com', password: secret },
      { idempotencyKey: 'k-1' },
    );
    const tables = await database().rows<{ name: string; col: string }>(
      'SELECT table_name AS name, column_name AS col FROM information_schema.columns WHERE table_schema = DATABASE()',
    );
    for (const { name, col } of tables)
      expect(
        await platform.count(`\`${name}\``, `CONVERT(\`${col}\` USING latin1) LIKE '%${secret}%'`),
        `${name}.${col}`,
      ).to.equal(0);
    expect(platform.logLines.join('\n')).not.to.contain(secret);
  });
});
