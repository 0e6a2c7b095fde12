import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { from, useSignInMail } from '#test/auth/sign-in-mail.js';
import { hours } from '#test/support/clock.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { TestAccount } from '#test/support/platform.js';

describe('the budget of sign-in mail', () => {
  const test = useSignInMail();
  const { platform } = test;
  let people = 0;
  const start = (account: TestAccount, ip: string) =>
    test.app(account).call('auth.signin.start', { email: `p${(people += 1)}@example.com` }, from(ip));
  const refusal = (account: TestAccount, ip: string) =>
    test.app(account).refusal('auth.signin.start', { email: `p${(people += 1)}@example.com` }, from(ip));
  const set = (key: string, hits: number): Promise<unknown> =>
    platform.running.services.database.run(
      'INSERT INTO svc_limit (id, hits, resets_at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE hits = VALUES(hits)',
      [sha256(key), hits, new Date(platform.clock.now().getTime() + hours(1))],
    );
  const ofHour = (budget: string, { id }: Environment): string => `${budget}|per hour|${id}`;

  it('cannot be used up by one stranger: an IP address has a quarter of what is left', async () => {
    const account = await platform.account();
    const key = ofHour('signin mail', account.live);
    await start(account, '203.0.113.1');
    await set(key, 100);
    await set(`${key}|203.0.113.1`, 100);
    const refused = await refusal(account, '203.0.113.1');
    expect(refused).to.include({ status: 429, code: 'auth_send_limited' });
    expect(refused.message).to.contain('500 per hour, and your IP address has used up its share');
    expect(refused.fix).to.contain('3600 seconds');
    await start(account, '203.0.113.2');
    // The refused call used up nothing: 399 are left, of which an address may have used 99.
    await set(`${key}|203.0.113.1`, 98);
    await start(account, '203.0.113.1');
    expect(await refusal(account, '203.0.113.1')).to.include({ code: 'auth_send_limited' });
    await set(key, 496);
    await start(account, '203.0.113.3');
    await set(key, 500);
    expect((await refusal(account, '203.0.113.4')).message).to.contain('500 per hour.');
    platform.clock.advance(hours(1));
    await start(account, '203.0.113.1');
  });

  it('counts an IPv6 site as one stranger, and texts alike', async () => {
    const account = await platform.account();
    const key = ofHour('signin mail', account.live);
    await start(account, '2001:db8:1:1::1');
    await set(key, 400);
    await set(`${key}|2001:db8:1::/48`, 25);
    expect(await refusal(account, '2001:db8:1:2::1')).to.include({ code: 'auth_send_limited' });
    await start(account, '2001:db8:2:1::1');
  });

  it('is not used up by invitations or notices, nor they by it', async () => {
    const account = await platform.account();
    const inviting = { email: 'colleague@example.com' };
    await set(ofHour('invitation mail', account.live), 500);
    expect(await account.svc.refusal('account.member.invite', inviting)).to.include({ code: 'auth_send_limited' });
    await start(account, '203.0.113.5');
    await set(ofHour('invitation mail', account.live), 1);
    await set(ofHour('signin mail', account.live), 500);
    expect(await refusal(account, '203.0.113.6')).to.include({ code: 'auth_send_limited' });
    await account.svc.call('account.member.invite', inviting);
  });
});
