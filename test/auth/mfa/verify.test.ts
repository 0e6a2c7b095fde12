import { expect } from 'chai';
import { eventsOf } from '#test/audience/support.js';
import { wrongCodesPerDay } from '#plugins/auth/factors/check-code.js';
import { users } from '#plugins/auth/tables/user.js';
import { factors } from '#plugins/auth/tables/factor.js';
import { from } from '#test/auth/sign-in-mail.js';
import { hours, minutes, seconds } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { mfaTokenOf, passFirstFactor, publishableApi, userWithTotp } from '../factor/support.js';

/** A code that the app shows neither now nor a step earlier or later. */
const wrongCode = (shown: { code(steps?: number): string }): string => {
  const near = new Set([-1, 0, 1].map((steps) => shown.code(steps)));
  return ['000000', '111111', '222222', '333333'].find((code) => !near.has(code)) ?? '';
};

describe('auth.mfa.verify', () => {
  const platform = usePlatform({ settings: () => ({ SVC_TRUST_PROXY: '127.0.0.1' }) });

  async function waiting() {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const made = await userWithTotp(platform, account);
    const mfaToken = await mfaTokenOf(platform, account.live, made.user.userId);
    return { account, api, mfaToken, ...made };
  }

  it('signs in with the code that the app shows: a session of both methods, marked as two-step', async () => {
    const { account, api, mfaToken, app, user } = await waiting();
    const { status, tokens, user: shown } = await api.call('auth.mfa.verify', { mfaToken, code: app.code() });
    expect([status, shown?.id]).to.deep.equal(['complete', user.userId]);
    const claims: unknown = JSON.parse(Buffer.from(tokens?.accessToken.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).to.deep.include({ sub: user.userId, amr: ['password', 'totp'], mfa: true });
    const [event] = await eventsOf(platform, account.live, 'auth.signin.completed');
    expect(event?.data).to.have.nested.property('session.mfa', true);
    expect(await api.refusal('auth.mfa.verify', { mfaToken, code: app.code(1) })).to.include({
      status: 401,
      code: 'mfa_token_invalid',
    });
  });

  for (const steps of [-1, 1])
    it(`takes the code of ${steps === 1 ? 'the next' : 'the previous'} 30 seconds, and none further off`, async () => {
      const { api, mfaToken, app } = await waiting();
      platform.clock.advance(minutes(2));
      expect(await api.refusal('auth.mfa.verify', { mfaToken, code: app.code(2 * steps) })).to.include({
        code: 'wrong_code',
      });
      await api.call('auth.mfa.verify', { mfaToken, code: app.code(steps) });
    });

  it('takes each code once, in whichever sign-in, and none older than the last', async () => {
    const { account, api, mfaToken, app, user } = await waiting();
    const [earlier, code] = [app.code(-1), app.code()];
    await api.call('auth.mfa.verify', { mfaToken, code });
    const second = await mfaTokenOf(platform, account.live, user.userId);
    for (const each of [code, earlier])
      expect(await api.refusal('auth.mfa.verify', { mfaToken: second, code: each })).to.include({ code: 'wrong_code' });
    platform.clock.advance(seconds(30));
    await api.call('auth.mfa.verify', { mfaToken: second, code: app.code() });
  });

  it('takes a code once under a race of twenty sign-ins on two nodes', async () => {
    const { account, api, app, user } = await waiting();
    const node = await platform.secondNode();
    const other = node.as(account.keys.live.publishable);
    const tokens: string[] = [];
    for (let n = 0; n < 20; n += 1) tokens.push(await mfaTokenOf(platform, account.live, user.userId));
    const code = app.code();
    const answers = await Promise.all(
      tokens.map((mfaToken, n) => (n % 2 ? api : other).raw('/auth/mfa/verify', JSON.stringify({ mfaToken, code }))),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    await node.stop();
  });

  it('counts five tries before it looks at the code, also when they come at once', async () => {
    const { api, mfaToken, app } = await waiting();
    const body = JSON.stringify({ mfaToken, code: wrongCode(app) });
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.raw('/auth/mfa/verify', body)));
    const codes = answers.map(({ text }) => /"code":"(\w+)"/.exec(text)?.[1]);
    expect(codes.filter((code) => code === 'wrong_code')).to.have.length(5);
    expect(codes.filter((code) => code === 'challenge_locked')).to.have.length(15);
    const left = answers.flatMap(({ text }) => /"attemptsLeft":(\d)/.exec(text)?.[1] ?? []);
    expect(left.sort()).to.deep.equal(['0', '1', '2', '3', '4']);
    expect(await api.refusal('auth.mfa.verify', { mfaToken, code: app.code() })).to.include({
      status: 429,
      code: 'challenge_locked',
    });
  });

  it('takes 25 wrong codes of a user within a day, over all sign-ins; then only a recovery code', async () => {
    const { account, api, app, user, recoveryCodes } = await waiting();
    for (let n = 0; n < wrongCodesPerDay; n += 5) {
      const mfaToken = await mfaTokenOf(platform, account.live, user.userId);
      for (let tries = 0; tries < 5; tries += 1)
        expect(
          await api.refusal('auth.mfa.verify', { mfaToken, code: wrongCode(app) }, from(`203.0.113.${n}`)),
        ).to.include({ code: 'wrong_code' });
    }
    const mfaToken = await mfaTokenOf(platform, account.live, user.userId);
    const refused = await api.refusal('auth.mfa.verify', { mfaToken, code: app.code() });
    expect(refused).to.include({ status: 429, code: 'challenge_locked' });
    expect(refused.fix).to.match(/auth\.mfa\.recover/);
    await api.call('auth.mfa.recover', { mfaToken, recoveryCode: recoveryCodes[0] ?? '' });
    platform.clock.advance(hours(24));
    const tomorrow = await mfaTokenOf(platform, account.live, user.userId);
    await api.call('auth.mfa.verify', { mfaToken: tomorrow, code: app.code() });
  });

  it('does not count right codes against the user', async () => {
    const { account, api, app, user } = await waiting();
    const { database } = platform.running.services;
    await api.refusal('auth.mfa.verify', {
      mfaToken: await mfaTokenOf(platform, account.live, user.userId),
      code: wrongCode(app),
    });
    for (let n = 0; n < 3; n += 1) {
      platform.clock.advance(seconds(30));
      const mfaToken = await mfaTokenOf(platform, account.live, user.userId);
      await api.call('auth.mfa.verify', { mfaToken, code: app.code() });
    }
    expect((await database.findOne(factors, { activeUserId: user.userId }))?.wrongCodes).to.equal(1);
  });

  it('refuses an mfaToken that is forged, expired, of another environment, or whose user removed the factor', async () => {
    const { account, api, mfaToken, app, user } = await waiting();
    const code = app.code();
    const [, id] = /^svc_mfa_(.{36})/.exec(mfaToken) ?? [];
    const forged = [`svc_mfa_${id}.${'x'.repeat(43)}`, `${mfaToken}x`, mfaToken.replace('svc_mfa_', ''), 'x'];
    for (const each of forged)
      expect(await api.refusal('auth.mfa.verify', { mfaToken: each, code }), each).to.include({
        code: 'mfa_token_invalid',
      });
    const { publishable } = account.keys.test;
    expect(await api.refusal('auth.mfa.verify', { mfaToken, code }, { key: publishable })).to.include({
      code: 'mfa_token_invalid',
    });
    const { factorId } = await factorOf();
    await api.call('auth.factor.remove', { accessToken: user.accessToken, factorId });
    expect(await api.refusal('auth.mfa.verify', { mfaToken, code })).to.include({ code: 'mfa_token_invalid' });
    async function factorOf() {
      const { factors: listed } = await api.call('auth.factor.list', { accessToken: user.accessToken });
      return { factorId: listed[0]?.id ?? '' };
    }
  });

  it('refuses an mfaToken after ten minutes', async () => {
    const { api, mfaToken, app } = await waiting();
    platform.clock.advance(minutes(10));
    expect(await api.refusal('auth.mfa.verify', { mfaToken, code: app.code() })).to.include({
      code: 'mfa_token_invalid',
    });
  });

  it('refuses a user who was banned between the steps', async () => {
    const { account, api, mfaToken, app, user } = await waiting();
    await platform.running.services.database.update(users, { id: user.userId }, { bannedAt: platform.clock.now() });
    const answer = await api.raw('/auth/mfa/verify', JSON.stringify({ mfaToken, code: app.code() }));
    expect(`${answer.status},${answer.text}`).to.match(/^403,.*"code":"user_banned"/);
    const [failed] = await eventsOf(platform, account.live, 'auth.mfa.failed');
    expect(failed?.data).to.deep.equal({ userId: user.userId, reason: 'user_banned' });
  });

  it('reports wrong codes as events, without the code', async () => {
    const { account, api, mfaToken, app, user } = await waiting();
    await api.refusal('auth.mfa.verify', { mfaToken, code: wrongCode(app) });
    const events = await eventsOf(platform, account.live, 'auth.mfa.failed');
    expect(events.map(({ data, personId }) => ({ data, personId }))).to.deep.equal([
      { data: { userId: user.userId, reason: 'wrong_code' }, personId: user.userId },
    ]);
  });

  it('answers with a handoff where the first step or this one asks for it, and refuses one that has nowhere to return to', async () => {
    const { account, api, mfaToken, app, user } = await waiting();
    expect(await api.refusal('auth.mfa.verify', { mfaToken, code: app.code(), handoff: true })).to.include({
      code: 'invalid_input',
    });
    for (const asked of ['first', 'second']) {
      const { mfa } = await passFirstFactor(platform, account.live, user.userId, {
        handoff: asked === 'first',
        redirectTo: 'https://app.example.com/welcome?a=1',
      });
      platform.clock.advance(seconds(30));
      const answer = await api.call('auth.mfa.verify', {
        mfaToken: mfa?.mfaToken ?? '',
        code: app.code(),
        ...(asked === 'second' ? { handoff: true } : {}),
      });
      expect(answer).to.include({ status: 'handoff', tokens: null, user: null });
      expect(answer.redirectTo).to.match(/^https:\/\/app\.example\.com\/welcome\?a=1&svc_code=svc_hc_\w{43}$/);
    }
  });
});
