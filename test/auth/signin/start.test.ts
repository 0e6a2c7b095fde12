import { expect } from 'chai';
import { challenges } from '#plugins/auth/tables/challenge.js';
import { auditOf } from '#test/account/support.js';
import { from, useSignInMail } from '#test/auth/sign-in-mail.js';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';

describe('auth.signin.start', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('mails a code, and answers with a challenge and the masked address', async () => {
    const account = await platform.account();
    const { activityId, result } = await test
      .app(account)
      .envelope('auth.signin.start', { email: 'Ada@Example.com', locale: 'de-AT' });
    expect(result).to.deep.equal({
      challengeId: result.challengeId,
      method: 'code',
      sentTo: 'A•••@example.com',
      expiresAt: new Date(platform.clock.now().getTime() + minutes(10)).toISOString(),
      hasBounced: false,
    });
    const [mail] = await test.mailsTo('Ada@example.com');
    const code = await test.codeTo('Ada@example.com');
    expect(mail?.parsed.subject).to.equal(`${code} ist Ihr Code für ${mail?.parsed.from?.name ?? ''}`);
    expect(mail?.parsed.text).to.contain('10 Minuten');
    expect(await auditOf(platform, activityId)).to.deep.include({
      operation: 'auth.signin.start',
      subjectId: result.challengeId,
      summary: 'Started a sign-in (code).',
    });
    const started = (await platform.events(account.live)).filter(({ type }) => type === 'auth.signin.started');
    expect(started).to.deep.equal([
      {
        type: 'auth.signin.started',
        subjectId: result.challengeId,
        activityId,
        data: { method: 'code', identityKind: 'email' },
      },
    ]);
  });

  it('mails a link to the hosted page, valid for 15 minutes', async () => {
    const account = await platform.account();
    const email = 'link@example.com';
    const result = await test.app(account).call('auth.signin.start', { email, method: 'link' });
    expect(result).to.include({
      method: 'link',
      expiresAt: new Date(platform.clock.now().getTime() + minutes(15)).toISOString(),
    });
    const token = await test.linkTo(email);
    const [mail] = await test.mailsTo(email);
    expect(token.startsWith(`${result.challengeId}.`)).to.equal(true);
    expect(mail?.parsed.html).to.contain(
      `href="${platform.running.services.deployment.baseUrl}/auth/${account.live.id}/link?token=${token}"`,
    );
  });

  it('stores the code as a keyed digest that differs for each challenge', async () => {
    const account = await platform.account();
    const { challengeId } = await test.app(account).call('auth.signin.start', { email: 'digest@example.com' });
    const code = await test.codeTo('digest@example.com');
    const { vault, database } = platform.running.services;
    const row = await database.findOne(challenges, { id: challengeId });
    const where = { table: 'auth_challenge', column: 'secret_digest' };
    expect(row?.secretDigest?.equals(vault.digest(`${challengeId}:${code}`, where))).to.equal(true);
  });

  it('refuses a method that the settings turn off', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { methods: { code: { enabled: false } } });
    const app = test.app(account);
    const refused = await app.refusal('auth.signin.start', { email: 'off@example.com' });
    expect([refused.status, refused.code]).to.deep.equal([403, 'method_disabled']);
    await app.call('auth.signin.start', { email: 'off@example.com', method: 'link' });
    await account.svc.call('auth.settings.set', { methods: { link: { enabled: false } } });
    expect((await app.refusal('auth.signin.start', { email: 'off@example.com', method: 'link' })).code).to.equal(
      'method_disabled',
    );
  });

  it('refuses a phone number where no product sends texts', async () => {
    const account = await platform.account();
    const { code } = await test.app(account).refusal('auth.signin.start', { phone: '+4915123456789' });
    expect(code).to.equal('method_disabled');
  });

  it('returns only to allowed addresses, and hands over only where it has one', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const app = test.app(account);
    const email = 'redirect@example.com';
    const refused = await app.refusal('auth.signin.start', { email, redirectTo: 'https://evil.example/' });
    expect([refused.status, refused.code]).to.deep.equal([403, 'redirect_not_allowed']);
    const nowhere = await app.refusal('auth.signin.start', { email, handoff: true });
    expect(nowhere).to.deep.include({ code: 'invalid_input', details: { field: 'handoff' } });
    await app.call('auth.signin.start', { email, redirectTo: 'https://app.example.com/inside', handoff: true });
  });

  it('refuses a language that is none, and both or neither of address and number', async () => {
    const app = test.app(await platform.account());
    for (const input of [
      { email: 'ada@example.com', locale: 'not a language' },
      { email: 'ada@example.com', phone: '+4915123456789' },
      {},
    ])
      expect((await app.refusal('auth.signin.start', input)).code).to.equal('invalid_input');
  });

  it('sends nothing while the account is closed', async () => {
    const account = await platform.account();
    await account.svc.call('account.close', { reason: 'Over.' });
    const { status, code } = await test.app(account).refusal('auth.signin.start', { email: 'closed@example.com' });
    expect([status, code]).to.deep.equal([403, 'account_closed']);
  });

  it('stops when the budget of system mail is used up', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', {
      rateLimits: { startPerIp: { max: 100 }, startPerIdentifier: { max: 100 } },
    });
    const app = test.app(account);
    const { database, clock } = platform.running.services;
    await app.call('auth.signin.start', { email: 'budget@example.com' });
    await database.run('UPDATE svc_limit SET hits = 500 WHERE hits = 1 AND resets_at = ?', [
      new Date(clock.now().getTime() + 3_600_000),
    ]);
    const refused = await app.refusal('auth.signin.start', { email: 'budget@example.com' });
    expect([refused.status, refused.code]).to.deep.equal([429, 'auth_send_limited']);
  });

  it('starts five sign-ins per address in ten minutes, however it is written, and as many as the settings say', async () => {
    const account = await platform.account();
    const app = test.app(account);
    for (const email of ['a@example.com', 'A@example.com', 'a@EXAMPLE.com', '"a"@example.com', 'a@example.com'])
      await app.call('auth.signin.start', { email });
    const refused = await app.refusal('auth.signin.start', { email: 'a@example.com' });
    expect([refused.status, refused.code, refused.headers.get('retry-after')]).to.deep.equal([
      429,
      'rate_limited',
      null,
    ]);
    expect(refused.fix).to.match(/600 seconds/);
    await app.call('auth.signin.start', { email: 'other@example.com' });
    await account.svc.call('auth.settings.set', { rateLimits: { startPerIdentifier: { max: 6 } } });
    await app.call('auth.signin.start', { email: 'a@example.com' });
    platform.clock.advance(minutes(10));
    await app.call('auth.signin.start', { email: 'a@example.com' });
  });

  it('starts 30 sign-ins per IP address in ten minutes', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { rateLimits: { startPerIp: { max: 2 } } });
    const app = test.app(account);
    for (const n of [1, 2]) await app.call('auth.signin.start', { email: `${n}@example.com` }, from('203.0.113.1'));
    const again = { email: '3@example.com' };
    expect((await app.refusal('auth.signin.start', again, from('203.0.113.1'))).code).to.equal('rate_limited');
    await app.call('auth.signin.start', again, from('203.0.113.2'));
  });

  it('mails members alone in a test environment; others get the same answer and a suppressed message', async () => {
    const account = await platform.account();
    const app = test.app(account, 'test');
    const answers = [account.ownerEmail, 'stranger@example.com'].map((email) =>
      app.call('auth.signin.start', { email }),
    );
    const [member, stranger] = await Promise.all(answers);
    expect(Object.keys(member ?? {})).to.deep.equal(Object.keys(stranger ?? {}));
    await test.codeTo(account.ownerEmail);
    await platform.settled();
    const { messages } = await account.svcTest.call('email.message.list', {});
    expect(messages.map(({ to, status }) => [to[0], status])).to.have.deep.members([
      [account.ownerEmail, 'sent'],
      ['stranger@example.com', 'suppressed'],
    ]);
    expect(test.smtp.received.filter(({ recipients }) => recipients.includes('stranger@example.com'))).to.deep.equal(
      [],
    );
  });

  it('needs a publishable key', async () => {
    const account = await platform.account();
    await signedIn(platform, account.live);
    const { code } = await account.svc.refusal('auth.signin.start', { email: 'ada@example.com' });
    expect(code).to.equal('publishable_key_required');
  });
});
