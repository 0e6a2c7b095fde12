import { expect } from 'chai';
import { mfaTokenOf, userWithTotp } from '#test/auth/factor/support.js';
import { password, userWithPassword } from '#test/auth/password/support.js';
import { startedCode } from '#test/auth/support.js';
import { from, useSignInMail } from '#test/auth/sign-in-mail.js';
import { days, hours, minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';

describe('Tries of somebody who wants in elsewhere', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;
  const email = 'ada@example.com';
  const [attacker, owner] = ['203.0.113.66', '203.0.113.7'];

  const signIn = async (account: TestAccount, ip: string, typed: string, address = email): Promise<string> => {
    const answer = await test
      .app(account)
      .raw('/auth/password/signin', JSON.stringify({ email: address, password: typed }), from(ip));
    return answer.status === 200 ? 'in' : (/"code":"(\w+)"/.exec(answer.text)?.[1] ?? answer.text);
  };

  it('lock nobody out of their password from another IP address, nor of codes', async () => {
    const account = await platform.account();
    await userWithPassword(platform, account.live);
    for (let each = 0; each < 5; each += 1)
      expect(await signIn(account, attacker, 'wrong password')).to.equal('invalid_credentials');
    for (let each = 0; each < 5; each += 1)
      expect(await signIn(account, attacker, 'wrong password')).to.equal('rate_limited');
    expect(await signIn(account, owner, password)).to.equal('in');
    await test.app(account).call('auth.signin.start', { email }, from(owner));
  });

  it('from many IP addresses end at four times as many, and leave codes and links', async () => {
    const account = await platform.account();
    await userWithPassword(platform, account.live);
    const answers: string[] = [];
    for (let each = 0; each < 22; each += 1)
      answers.push(await signIn(account, `203.0.113.${100 + Math.floor(each / 5)}`, 'wrong password'));
    expect(answers.slice(0, 20)).to.deep.equal(Array.from({ length: 20 }, () => 'invalid_credentials'));
    expect(answers.slice(20)).to.deep.equal(['rate_limited', 'rate_limited']);
    expect(await signIn(account, owner, password)).to.equal('rate_limited');
    await test.app(account).call('auth.signin.start', { email, method: 'link' }, from(owner));
    platform.clock.advance(minutes(10));
    expect(await signIn(account, owner, password)).to.equal('in');
  });

  it('are shown to an administrator, who lifts them for the person', async () => {
    const account = await platform.account();
    const userId = await userWithPassword(platform, account.live);
    expect(await signIn(account, owner, password)).to.equal('in');
    const own = from(owner);
    const again = async (ip: string) => {
      for (let each = 0; each < 5; each += 1) await signIn(account, ip, 'wrong password');
      return signIn(account, ip, password);
    };
    expect(await again(owner)).to.equal('rate_limited');
    expect(await again(attacker)).to.equal('rate_limited');
    const limits = async () => (await account.svc.call('auth.user.get', { userId, withLimits: true })).limits;
    const [found, ...others] = (await limits()) ?? [];
    expect(others).to.deep.equal([]);
    expect(found).to.include({ kind: 'start', identity: email, ip: owner });
    expect((await account.svc.call('auth.user.get', { userId })).limits).to.equal(null);

    await account.svc.call('auth.user.update', { userId, liftLimits: true });
    expect(await limits()).to.deep.equal([]);
    expect(await signIn(account, owner, password)).to.equal('in');
    // The other IP address has no session, so it is found only by name.
    expect(await signIn(account, attacker, password)).to.equal('rate_limited');
    await account.svc.call('auth.user.update', { userId, liftLimits: true, ipAddresses: [attacker] });
    expect(await signIn(account, attacker, password)).to.equal('in');
    const refused = await account.svc.refusal('auth.user.update', { userId, liftLimits: true, ipAddresses: ['here'] });
    expect(refused).to.include({ code: 'invalid_input', status: 400 });

    for (let each = 0; each < 10; each += 1) await tryCode(account, owner, '000000');
    expect(await tryCode(account, owner, '271828')).to.equal('rate_limited');
    expect((await limits())?.map(({ kind, ip }) => [kind, ip])).to.deep.equal([['code', owner]]);
    await account.svc.call('auth.user.update', { userId, liftLimits: true });
    expect(await tryCode(account, owner, '271828')).to.equal('in');
    await test.app(account).call('auth.signin.start', { email }, own);
  });

  const tryCode = async (account: TestAccount, ip: string, code: string, address = email): Promise<string> => {
    const challengeId = await startedCode(platform, account.live, { email: address });
    const answer = await test.app(account).raw('/auth/signin/verify', JSON.stringify({ challengeId, code }), from(ip));
    return answer.status === 200 ? 'in' : (/"code":"(\w+)"/.exec(answer.text)?.[1] ?? answer.text);
  };

  it('with codes end for a day after ten wrong ones from one IP address, and after fifty from all', async () => {
    const account = await platform.account();
    for (let each = 0; each < 10; each += 1) expect(await tryCode(account, attacker, '000000')).to.equal('wrong_code');
    expect(await tryCode(account, attacker, '271828'), 'even with the right one').to.equal('rate_limited');
    expect(await tryCode(account, owner, '271828')).to.equal('in');
    for (let each = 0; each < 40; each += 1)
      expect(await tryCode(account, `203.0.113.${100 + Math.floor(each / 10)}`, '000000')).to.equal('wrong_code');
    expect(await tryCode(account, owner, '271828')).to.equal('rate_limited');
    expect(await tryCode(account, owner, '271828', 'grace@example.com'), 'somebody else').to.equal('in');
    platform.clock.advance(hours(24));
    expect(await tryCode(account, owner, '271828')).to.equal('in');
  });

  it('with codes end after exactly as many, however many arrive at once', async () => {
    const account = await platform.account();
    const atOnce = (count: number, code: string, ip: (each: number) => string, address = email): Promise<string[]> =>
      Promise.all(Array.from({ length: count }, (_, each) => tryCode(account, ip(each), code, address)));
    const checked = (answers: readonly string[]): number => answers.filter((answer) => answer === 'wrong_code').length;
    const fromOne = await atOnce(40, '000000', () => attacker);
    expect([checked(fromOne), fromOne.filter((answer) => answer === 'rate_limited').length]).to.deep.equal([10, 30]);
    const fromMany = await atOnce(70, '000000', (each) => `203.0.113.${100 + (each % 7)}`);
    expect(checked(fromMany)).to.equal(40);
    expect(await tryCode(account, owner, '271828')).to.equal('rate_limited');
    const right = await atOnce(15, '271828', () => owner, 'grace@example.com');
    expect(right, 'right codes count at no time').to.deep.equal(right.map(() => 'in'));
    for (let each = 0; each < 10; each += 1)
      expect(await tryCode(account, owner, '000000', 'grace@example.com')).to.equal('wrong_code');
  });

  it('with codes of many people end after thirty wrong ones from one IP address in ten minutes', async () => {
    const account = await platform.account();
    for (let each = 0; each < 30; each += 1)
      expect(await tryCode(account, attacker, '000000', `p${each}@example.com`)).to.equal('wrong_code');
    expect(await tryCode(account, attacker, '271828', 'p99@example.com')).to.equal('rate_limited');
    expect(await tryCode(account, owner, '271828', 'p99@example.com')).to.equal('in');
    platform.clock.advance(minutes(10));
    expect(await tryCode(account, attacker, '271828', 'p98@example.com')).to.equal('in');
  });

  it('that were counted while the clock was ahead shut nobody out afterwards', async () => {
    const account = await platform.account();
    platform.clock.advance(days(40));
    for (let each = 0; each < 30; each += 1)
      expect(await tryCode(account, attacker, '000000', `p${each}@example.com`)).to.equal('wrong_code');
    expect(await tryCode(account, attacker, '271828', 'p99@example.com')).to.equal('rate_limited');
    platform.clock.advance(-days(40));
    expect(await tryCode(account, attacker, '271828', 'p98@example.com')).to.equal('in');
  });

  it('do not count as long as the codes are right', async () => {
    const account = await platform.account();
    for (let each = 0; each < 35; each += 1) expect(await tryCode(account, owner, '271828')).to.equal('in');
  });

  it('with the second step leave the user’s own tries alone', async () => {
    const account = await platform.account();
    const { app, user } = await userWithTotp(platform, account);
    const near = new Set([-1, 0, 1].map((steps) => app.code(steps)));
    const wrong = ['000000', '111111', '222222', '333333'].find((code) => !near.has(code)) ?? '';
    const second = async (ip: string, code: string): Promise<string> => {
      const mfaToken = await mfaTokenOf(platform, account.live, user.userId);
      const answer = await test.app(account).raw('/auth/mfa/verify', JSON.stringify({ mfaToken, code }), from(ip));
      return answer.status === 200 ? 'in' : (/"code":"(\w+)"/.exec(answer.text)?.[1] ?? answer.text);
    };
    for (let each = 0; each < 10; each += 1) expect(await second(attacker, wrong)).to.equal('wrong_code');
    expect(await second(attacker, app.code())).to.equal('challenge_locked');
    expect(await second(owner, app.code())).to.equal('in');
  });
});
