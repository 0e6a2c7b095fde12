import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { handoffOf, signedIn } from '#test/auth/support.js';
import { minutes, seconds } from '#test/support/clock.js';
import { at } from '#test/support/json.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

describe('auth.session.exchange', () => {
  const platform = usePlatform();
  const codeOf = async ({ svc, keys }: TestAccount, code: string): Promise<string> =>
    (await svc.refusal('auth.session.exchange', { code }, { key: keys.live.publishable })).code;

  it('turns a code into the tokens of its session once, also when it is presented many times at once', async () => {
    const account = await platform.account();
    const body = JSON.stringify({ code: await handoffOf(platform, account.live) });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        platform.api.raw('/auth/session/exchange', body, { key: account.keys.live.publishable }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).to.have.length(1);
    expect(answers.filter(({ text }) => text.includes('"code_used"'))).to.have.length(7);
    const accessToken = String(at(JSON.parse(won[0]?.text ?? '{}'), 'result', 'tokens', 'accessToken'));
    expect(await account.svc.call('auth.session.verify', { accessToken })).to.include({
      valid: true,
    });
    const types = (await platform.events(account.live)).map(({ type }) => type);
    expect(types.filter((type) => type === 'auth.session.exchanged')).to.have.length(1);
  });

  it('refuses codes that are unknown, expired or of another environment', async () => {
    const account = await platform.account();
    expect(await codeOf(account, 'svc_hc_unknown')).to.equal('code_invalid');
    expect(await codeOf(account, await handoffOf(platform, account.test))).to.equal('code_invalid');
    const code = await handoffOf(platform, account.live);
    platform.clock.advance(minutes(2));
    expect(await codeOf(account, code)).to.equal('code_expired');
  });

  it('takes a code until two minutes have passed', async () => {
    const { live, svc, keys } = await platform.account();
    const code = await handoffOf(platform, live);
    platform.clock.advance(minutes(2) - seconds(1));
    const { user } = await svc.call('auth.session.exchange', { code }, { key: keys.live.publishable });
    expect(user.email).to.equal('ada@example.com');
  });

  it('refuses the code of a session that has ended, or of a user who was banned since', async () => {
    const account = await platform.account();
    const { live, svc } = account;
    const code = await handoffOf(platform, live);
    const { userId } = await signedIn(platform, live);
    await svc.call('auth.session.revoke', { userId });
    expect(await codeOf(account, code)).to.equal('session_revoked');
    const next = await handoffOf(platform, live);
    await platform.running.services.database.run('UPDATE auth_user SET banned_at = ? WHERE id = ?', [
      platform.clock.now(),
      idBytes(userId),
    ]);
    expect(await codeOf(account, next)).to.equal('user_banned');
  });

  it('limits invalid codes per IP address, by a number that the environment may change', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { rateLimits: { completePerIp: { max: 2 } } });
    expect(await codeOf(account, 'a')).to.equal('code_invalid');
    expect(await codeOf(account, 'b')).to.equal('code_invalid');
    expect(await codeOf(account, 'c')).to.equal('rate_limited');
    await account.svc.call('auth.settings.set', { rateLimits: { completePerIp: { max: 3 } } });
    expect(await codeOf(account, 'd')).to.equal('code_invalid');
  });

  it('takes right codes however many codes came from the IP address, as from the server of an app', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { rateLimits: { completePerIp: { max: 2 } } });
    const exchange = async (): Promise<unknown> => {
      const code = await handoffOf(platform, account.live);
      return account.svc.call('auth.session.exchange', { code }, { key: account.keys.live.publishable });
    };
    for (const _ of [1, 2, 3]) await exchange();
    // The right ones did not count.
    for (const junk of ['a', 'b']) expect(await codeOf(account, junk)).to.equal('code_invalid');
    for (const junk of ['c', 'd']) expect(await codeOf(account, junk)).to.equal('rate_limited');
    await exchange();
    // What else is wrong with a code that svc issued is still said.
    const code = await handoffOf(platform, account.live);
    platform.clock.advance(minutes(2));
    expect(await codeOf(account, code)).to.equal('code_expired');
  });
});
