import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { dashboardSession, inEnvironment, withSession } from '#test/account/dashboard/support.js';
import { itNeeding } from '#test/support/products.js';
import { days, hours } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { send, useMail } from './support.js';

describe('system mail: budget', () => {
  const { platform } = useMail();

  let guests = 0;
  const newGuest = (): { email: string } => ({ email: `guest-${(guests += 1)}@example.com` });
  const invite = async ({ svc }: TestAccount): Promise<void> => {
    await svc.call('account.member.invite', newGuest());
  };
  const row = (period: string, { id }: Environment): string =>
    `id = UNHEX(SHA2('system mail|per ${period}|${id}', 256))`;
  const spent = async (period: string, environment: Environment): Promise<number> => {
    const [found] = await platform.running.services.database.rows<{ hits: number }>(
      `SELECT hits FROM svc_limit WHERE ${row(period, environment)}`,
    );
    return found?.hits ?? 0;
  };
  const setSpent = async (period: string, environment: Environment, hits: number): Promise<void> => {
    const { affectedRows } = await platform.running.services.database.run(
      `UPDATE svc_limit SET hits = ${hits} WHERE ${row(period, environment)}`,
    );
    expect(affectedRows, 'the count is where the test believes it').to.equal(1);
  };
  const refusal = ({ svc }: TestAccount) => svc.refusal('account.member.invite', newGuest());

  itNeeding('auth')('is 500 per hour for each environment, not counting email.send', async () => {
    const account = await platform.account();
    await invite(account);
    expect([await spent('hour', account.live), await spent('day', account.live)]).to.deep.equal([1, 1]);
    await setSpent('hour', account.live, 499);
    await invite(account);
    const refused = await refusal(account);
    expect(refused).to.include({ status: 429, code: 'auth_send_limited' });
    expect(refused.fix).to.match(/\b3600\b/);
    expect(refused.headers.get('retry-after')).to.equal(null);
    expect((await send(account.svc)).status).to.equal('queued');
    const owner = withSession(platform, await dashboardSession(platform, account.ownerEmail));
    await owner.call('account.member.invite', newGuest(), inEnvironment(account.test));
    await invite(await platform.account());
    platform.clock.advance(hours(1));
    await invite(account);
    expect(await spent('hour', account.live)).to.equal(1);
  });

  it('is 5,000 per day; mail over the daily budget does not count towards the hourly one', async () => {
    const account = await platform.account();
    await invite(account);
    await setSpent('day', account.live, 4_999);
    await invite(account);
    expect(await refusal(account)).to.include({ status: 429, code: 'auth_send_limited' });
    expect(await spent('hour', account.live)).to.equal(2);
    platform.clock.advance(hours(23));
    expect(await refusal(account)).to.include({ code: 'auth_send_limited' });
    platform.clock.advance(days(1) - hours(23));
    await invite(account);
  });

  it('lets exactly the remaining number through under concurrent calls', async () => {
    const account = await platform.account();
    await invite(account);
    await setSpent('hour', account.live, 495);
    const ends = await Promise.all(
      Array.from({ length: 12 }, () => account.svc.raw('/account/member/invite', JSON.stringify(newGuest()))),
    );
    expect(ends.map(({ status }) => status).sort()).to.deep.equal(ends.map((_, n) => (n < 5 ? 200 : 429)));
  });

  it('does not count mail of a call that rolled back', async () => {
    const { live } = await platform.account();
    const template = {
      name: 'account.test',
      channel: 'email' as const,
      description: 'A test.',
      variables: [],
      requiredVariables: [],
      locales: { en: { subject: 's', heading: 'h', body: 'b', footer: 'f' } },
    };
    const queue = (fails: boolean): Promise<void> =>
      platform.running.services.transaction('Test', async ({ use }) => {
        await use(transactionalMail).queue(live, { template, to: 'guest@example.com', variables: {} });
        if (fails) throw new Error('The call is refused after all.');
      });
    await queue(false);
    await queue(true).catch((error: unknown) => expect(String(error)).to.contain('refused after all'));
    expect([await spent('hour', live), await spent('day', live)]).to.deep.equal([1, 1]);
  });
});
