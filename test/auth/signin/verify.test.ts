import { expect } from 'chai';
import { checkAccessToken, checkingOf } from '#plugins/auth/sessions/check-token.js';
import { auditOf } from '#test/account/support.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { startedCode, userOf } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';

describe('auth.signin.verify', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('signs a new person up with the code of the mail', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const email = 'Grace@example.com';
    const { challengeId } = await app.call('auth.signin.start', { email, locale: 'fr' });
    const { activityId, result } = await app.envelope('auth.signin.verify', {
      challengeId,
      code: await test.codeTo(email),
    });
    expect(result).to.include({ status: 'complete', mfa: null, redirectTo: null });
    expect(result.user).to.include({ email, emailVerified: true, locale: 'fr', name: null });
    expect(result.user?.lastSignInAt).to.equal(platform.clock.now().toISOString());
    const accessToken = result.tokens?.accessToken ?? '';
    const checked = await checkAccessToken(checkingOf(platform.running.services), account.live, accessToken);
    expect(checked.valid && checked.user.id).to.equal(result.user?.id);
    const events = (await platform.events(account.live)).filter(({ type }) => type.startsWith('auth.'));
    expect(events.map(({ type }) => type)).to.deep.equal([
      'auth.signin.started',
      'auth.user.created',
      'auth.signin.completed',
    ]);
    expect(events.slice(1).map((event) => event.activityId)).to.deep.equal([activityId, activityId]);
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'auth.signin.verify',
      subjectId: result.user?.id,
      summary: 'Signed a user in (code).',
    });
  });

  it('signs in who is there already, and takes a code with blanks', async () => {
    const account = await platform.account();
    const userId = await userOf(platform, account.live);
    const challengeId = await startedCode(platform, account.live);
    const { user } = await test.app(account).call('auth.signin.verify', { challengeId, code: '271 828' });
    expect(user?.id).to.equal(userId);
    expect((await platform.events(account.live)).map(({ type }) => type)).to.not.include('auth.user.updated');
  });

  it('says how many tries are left, locks after five wrong codes, and reports each', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const challengeId = await startedCode(platform, account.live);
    for (const left of [4, 3, 2, 1, 0]) {
      const refused = await app.refusal('auth.signin.verify', { challengeId, code: '000000' });
      expect([refused.status, refused.code, refused.details]).to.deep.equal([
        400,
        'wrong_code',
        { attemptsLeft: left },
      ]);
      expect(refused.fix).to.contain(left === 0 ? 'auth.signin.start' : 'auth.signin.verify');
    }
    const refused = await app.refusal('auth.signin.verify', { challengeId, code: '271828' });
    expect([refused.status, refused.code]).to.deep.equal([429, 'challenge_locked']);
    const failed = (await platform.events(account.live)).filter(({ type }) => type === 'auth.signin.failed');
    expect(failed.map(({ subjectId, data }) => ({ subjectId, ...data }))).to.deep.equal(
      Array.from({ length: 5 }, () => ({ subjectId: challengeId, method: 'code', reason: 'wrong_code', userId: null })),
    );
  });

  it('checks at most five of fifty guesses made at once', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const challengeId = await startedCode(platform, account.live);
    const guesses = Array.from({ length: 50 }, (_, n) =>
      app.refusal('auth.signin.verify', { challengeId, code: String(n).padStart(6, '0') }),
    );
    const codes = (await Promise.all(guesses)).map(({ code }) => code);
    expect(codes.filter((code) => code === 'wrong_code')).to.have.length(5);
    expect(codes.filter((code) => code === 'challenge_locked')).to.have.length(45);
    expect(
      await platform.count('auth_challenge', `id = 0x${challengeId.replaceAll('-', '')} AND attempts = 5`),
    ).to.equal(1);
  });

  it('completes a code once, of ten calls at the same time', async () => {
    const account = await platform.account();
    const challengeId = await startedCode(platform, account.live);
    const calls = Array.from({ length: 10 }, () =>
      test.app(account).raw('/auth/signin/verify', JSON.stringify({ challengeId, code: '271828' })),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ text }) => text.includes('"challenge_used"'))).to.have.length(9);
    expect(await platform.count('auth_session', `environment_id = 0x${account.live.id.replaceAll('-', '')}`)).to.equal(
      1,
    );
  });

  it('creates one user where two challenges of a new address complete at the same time', async () => {
    const account = await platform.account();
    const ids = await Promise.all([1, 2, 3, 4].map(() => startedCode(platform, account.live)));
    const answers = await Promise.all(
      ids.map((challengeId) => test.app(account).call('auth.signin.verify', { challengeId, code: '271828' })),
    );
    expect(new Set(answers.map(({ user }) => user?.id)).size).to.equal(1);
    expect((await platform.events(account.live)).filter(({ type }) => type === 'auth.user.created')).to.have.length(1);
  });

  it('refuses a code that was used, has expired, or is of another challenge or environment', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const used = await startedCode(platform, account.live);
    await app.call('auth.signin.verify', { challengeId: used, code: '271828' });
    expect((await app.refusal('auth.signin.verify', { challengeId: used, code: '271828' })).code).to.equal(
      'challenge_used',
    );
    const [one, other] = [
      await startedCode(platform, account.live, { code: '111111' }),
      await startedCode(platform, account.live, { code: '222222' }),
    ];
    expect((await app.refusal('auth.signin.verify', { challengeId: one, code: '222222' })).code).to.equal('wrong_code');
    const elsewhere = { challengeId: one, code: '111111' };
    expect((await test.app(account, 'test').refusal('auth.signin.verify', elsewhere)).code).to.equal('not_found');
    platform.clock.advance(minutes(10));
    const late = await app.refusal('auth.signin.verify', { challengeId: other, code: '222222' });
    expect([late.status, late.code]).to.deep.equal([410, 'challenge_expired']);
  });

  it('answers with the redirect and a one-time svc_code where the sign-in was started with a handoff', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const app = test.app(account);
    const email = 'handoff@example.com';
    const redirectTo = 'https://app.example.com/in?next=%2Fa#';
    const start = { email, redirectTo: redirectTo.slice(0, -1), handoff: true };
    const { challengeId } = await app.call('auth.signin.start', start);
    const result = await app.call('auth.signin.verify', { challengeId, code: await test.codeTo(email) });
    expect(result).to.include({ status: 'handoff', tokens: null, user: null });
    const address = new URL(result.redirectTo ?? '');
    expect(address.origin + address.pathname).to.equal('https://app.example.com/in');
    expect(address.searchParams.get('next')).to.equal('/a');
    const code = address.searchParams.get('svc_code') ?? '';
    expect((await app.call('auth.session.exchange', { code })).user.email).to.equal(email);
    expect((await app.refusal('auth.session.exchange', { code })).code).to.equal('code_used');
  });

  it('takes `handoff` at the completion, and refuses it where there is nowhere to return to, without using the code', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const challengeId = await startedCode(platform, account.live);
    const input = { challengeId, code: '271828' };
    expect((await app.refusal('auth.signin.verify', { ...input, handoff: true })).code).to.equal('invalid_input');
    expect((await app.call('auth.signin.verify', { ...input, handoff: false })).status).to.equal('complete');
  });

  it('tells who is banned only once the code has proven the address; a ban ends by itself', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const userId = await userOf(platform, account.live);
    const until = new Date(platform.clock.now().getTime() + minutes(5));
    await platform.running.services.database.run(
      'UPDATE auth_user SET banned_at = ?, banned_until = ? WHERE id = UNHEX(?)',
      [platform.clock.now(), until, userId.replaceAll('-', '')],
    );
    const challengeId = await startedCode(platform, account.live);
    expect((await app.refusal('auth.signin.verify', { challengeId, code: '000000' })).code).to.equal('wrong_code');
    const refused = await app.raw('/auth/signin/verify', JSON.stringify({ challengeId, code: '271828' }));
    expect(refused.status).to.equal(403);
    expect(refused.text).to.contain('"code":"user_banned"');
    expect((await app.refusal('auth.signin.verify', { challengeId, code: '271828' })).code).to.equal('challenge_used');
    const failed = (await platform.events(account.live)).filter(({ type }) => type === 'auth.signin.failed');
    expect(failed.at(-1)).to.deep.include({
      subjectId: challengeId,
      data: { method: 'code', reason: 'user_banned', userId },
    });
    platform.clock.advance(minutes(5));
    const again = await startedCode(platform, account.live);
    expect((await app.call('auth.signin.verify', { challengeId: again, code: '271828' })).user?.bannedAt).to.equal(
      null,
    );
  });
});
