import { expect } from 'chai';
import { from, useSignInMail } from '#test/auth/sign-in-mail.js';
import { startedCode, startedLink, userOf } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';

describe('auth.link.complete', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('signs in with the token of the mail', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const email = 'link@example.com';
    await app.call('auth.signin.start', { email, method: 'link' });
    const { activityId, result } = await app.envelope('auth.link.complete', { token: await test.linkTo(email) });
    expect(result).to.include({ status: 'complete', mfa: null, redirectTo: null });
    expect(result.user).to.include({ email, emailVerified: true });
    const events = (await platform.events(account.live)).filter((event) => event.activityId === activityId);
    expect(events.map(({ type }) => type)).to.deep.equal([
      'auth.user.created',
      'auth.link.completed',
      'auth.signin.completed',
    ]);
    expect(events[1]?.data).to.deep.equal({ userId: result.user?.id });
    expect(events[2]?.data['session']).to.deep.include({ methods: ['link'], mfa: false });
  });

  it('completes a link once, of ten calls at the same time', async () => {
    const account = await platform.account();
    const token = await startedLink(platform, account.live);
    const calls = Array.from({ length: 10 }, () =>
      test.app(account).raw('/auth/link/complete', JSON.stringify({ token })),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ status, text }) => status === 409 && text.includes('"challenge_used"'))).to.have.length(9);
  });

  it('refuses an expired link', async () => {
    const account = await platform.account();
    const token = await startedLink(platform, account.live);
    platform.clock.advance(minutes(15));
    const { status, code } = await test.app(account).refusal('auth.link.complete', { token });
    expect([status, code]).to.deep.equal([410, 'challenge_expired']);
  });

  it('tells who is banned or may not sign up once the link has proven the address, and reports it', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const app = test.app(account);
    const codeFor = async (email: string): Promise<string> => {
      const token = await startedLink(platform, live, email);
      const { status, code } = await app.refusal('auth.link.complete', { token });
      expect(status).to.equal(403);
      expect((await app.refusal('auth.link.complete', { token })).code).to.equal('challenge_used');
      return code;
    };
    await svc.call('auth.user.ban', { userId: await userOf(platform, live, 'banned@example.com') });
    await svc.call('auth.settings.set', { signup: { blockedDomains: ['blocked.example'] } });
    const codes = [await codeFor('banned@example.com'), await codeFor('new@blocked.example')];
    await svc.call('auth.settings.set', { signup: { allow: 'nobody' } });
    codes.push(await codeFor('new@example.com'));
    expect(codes).to.deep.equal(['user_banned', 'signup_domain_blocked', 'signup_closed']);
    const failed = (await platform.events(live)).filter(({ type }) => type === 'auth.signin.failed');
    expect(failed.map(({ data }) => [data['method'], data['reason']])).to.deep.equal(
      codes.map((code) => ['link', code]),
    );
  });

  it('tells a code’s challenge from a link, and nothing of a link whose secret is wrong', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const challengeId = await startedCode(platform, account.live);
    for (const token of [challengeId, `${challengeId}.271828`]) {
      const refused = await app.refusal('auth.link.complete', { token });
      expect([refused.status, refused.code]).to.deep.equal([400, 'not_a_link']);
    }
    const token = await startedLink(platform, account.live);
    const [id = ''] = token.split('.');
    const other = `${id}.${'a'.repeat(43)}`;
    for (const wrong of [other, id, 'nonsense', `${'0'.repeat(8)}${id.slice(8)}.abc`])
      expect((await app.refusal('auth.link.complete', { token: wrong })).code, wrong).to.equal('not_found');
    await app.call('auth.link.complete', { token });
    expect((await app.refusal('auth.link.complete', { token: other })).code).to.equal('not_found');
  });

  it('knows no link of another environment', async () => {
    const account = await platform.account();
    const token = await startedLink(platform, account.live);
    const { code } = await test.app(account, 'test').refusal('auth.link.complete', { token });
    expect(code).to.equal('not_found');
  });

  it('takes 30 tries per IP address in ten minutes, or as many as the settings say', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { rateLimits: { completePerIp: { max: 2 } } });
    const app = test.app(account);
    for (const token of ['a', 'b'])
      expect((await app.refusal('auth.link.complete', { token }, from('203.0.113.1'))).code).to.equal('not_found');
    const token = await startedLink(platform, account.live);
    expect((await app.refusal('auth.link.complete', { token }, from('203.0.113.1'))).code).to.equal('rate_limited');
    await app.call('auth.link.complete', { token }, from('203.0.113.2'));
  });
});
