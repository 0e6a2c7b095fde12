import { inEachLanguage } from '#core/kernel/language.js';
import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { failedMail } from '#plugins/email/domains/mail-texts.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { dashboardSession, inEnvironment, withSession } from '#test/account/dashboard/support.js';
import { itNeeding } from '#test/support/products.js';
import { days, hours } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { send, useMail } from './support.js';

describe('system mail: budgets', () => {
  const mail = useMail();
  const { platform } = mail;
  const smtp = () => mail.smtp;

  let guests = 0;
  const newGuest = (): { email: string } => ({ email: `guest-${(guests += 1)}@example.com` });
  const invite = async ({ svc }: TestAccount): Promise<void> => {
    await svc.call('account.member.invite', newGuest());
  };
  const row = (period: string, { id }: Environment): string =>
    `id = UNHEX(SHA2('invitation mail|per ${period}|${id}', 256))`;
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

  itNeeding('auth')('are 500 invitations per hour for each environment, not counting email.send', async () => {
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

  it('are 5,000 per day; mail over the daily budget does not count towards the hourly one', async () => {
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

  it('let exactly the remaining number through under concurrent calls', async () => {
    const account = await platform.account();
    await invite(account);
    await setSpent('hour', account.live, 495);
    const ends = await Promise.all(
      Array.from({ length: 12 }, () => account.svc.raw('/account/member/invite', JSON.stringify(newGuest()))),
    );
    expect(ends.map(({ status }) => status).sort()).to.deep.equal(ends.map((_, n) => (n < 5 ? 200 : 429)));
  });

  it('do not count mail of a call that rolled back', async () => {
    const { live } = await platform.account();
    const template = {
      name: 'account.test',
      channel: 'email' as const,
      description: 'A test.',
      budget: 'invitation' as const,
      variables: [],
      requiredVariables: [],
      locales: inEachLanguage(() => ({ subject: 's', heading: 'h', body: 'b', footer: 'f' })),
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

  describe('of notices', () => {
    const notice = {
      name: 'account.test',
      channel: 'email' as const,
      description: 'A test.',
      budget: 'notice' as const,
      variables: [],
      requiredVariables: [],
      locales: inEachLanguage(() => ({ subject: 'It happened', heading: 'h', body: 'b', footer: 'f' })),
    };
    const notify = async (environment: Environment, to: string, count: number): Promise<void> => {
      for (let each = 0; each < count; each += 1)
        await platform.running.services.transaction('Test', ({ use }) =>
          use(transactionalMail).queue(environment, { template: notice, to, variables: {} }),
        );
    };
    const arrived = (to: string): number => smtp().received.filter(({ recipients }) => recipients.includes(to)).length;
    const waits = async ({ svc }: TestAccount, to: string): Promise<number[]> => {
      const { messages } = await svc.call('email.message.list', { to, limit: 100 });
      const now = platform.clock.now().getTime();
      return messages
        .map(({ sendAfter }) => (sendAfter === null ? 0 : (Date.parse(sendAfter) - now) / 60_000))
        .sort((a, b) => a - b);
    };

    it('let notices wait and leave none out, through a restart too', async () => {
      const account = await platform.account();
      await notify(account.live, 'flooded@example.com', 25);
      await notify(account.live, 'other@example.com', 1);
      await platform.settled();
      expect([arrived('flooded@example.com'), arrived('other@example.com')]).to.deep.equal([20, 1]);
      expect((await waits(account, 'flooded@example.com')).slice(20)).to.deep.equal([3, 6, 9, 12, 15]);
      await platform.restart();
      platform.clock.advance(hours(1));
      await platform.settled();
      expect(arrived('flooded@example.com')).to.equal(25);
    });

    it('give those of others their turn: what goes beyond the share of a recipient delays nobody else', async () => {
      const account = await platform.account();
      await notify(account.live, 'mallory@example.com', 20);
      const { database } = platform.running.services;
      const rate = (name: string): Buffer => sha256(`notice mail|${account.live.id}|${name}`);
      const idleAt = async (name: string): Promise<number> => {
        const [row] = await database.rows<{ resets_at: Date }>('SELECT resets_at FROM svc_limit WHERE id = ?', [
          rate(name),
        ]);
        return ((row?.resets_at ?? platform.clock.now()).getTime() - platform.clock.now().getTime()) / 7_200;
      };
      expect(await idleAt('per hour')).to.equal(20);
      await notify(account.live, 'mallory@example.com', 10);
      expect(await idleAt('per hour')).to.equal(20);
      // The hour is used up by others: the next notice waits for one place, and the one after it for two.
      await database.run('UPDATE svc_limit SET resets_at = ? WHERE id = ?', [
        new Date(platform.clock.now().getTime() + hours(1)),
        rate('per hour'),
      ]);
      await notify(account.live, 'victim@example.com', 2);
      expect(await waits(account, 'victim@example.com')).to.deep.equal([0.12, 0.24]);
      // Nothing waits for more than a day.
      await database.run('UPDATE svc_limit SET resets_at = ? WHERE id = ?', [
        new Date(platform.clock.now().getTime() + days(9)),
        rate('per hour'),
      ]);
      await notify(account.live, 'late@example.com', 1);
      expect(await waits(account, 'late@example.com')).to.deep.equal([24 * 60]);
    });

    it('keep notices that wait from being cancelled by a key', async () => {
      const account = await platform.account();
      const variables = { domain: 'example.com', projectName: 'Shop', records: '' };
      for (let each = 0; each < 21; each += 1)
        await platform.running.services.transaction('Test', ({ use }) =>
          use(transactionalMail).queue(account.live, { template: failedMail, to: 'owner@example.com', variables }),
        );
      const { messages } = await account.svc.call('email.message.list', { to: 'owner@example.com', limit: 100 });
      const waiting = messages.find(({ sendAfter }) => sendAfter !== null);
      const refused = await account.svc.refusal('email.message.cancel', { messageId: waiting?.messageId ?? '' });
      expect(refused).to.include({ status: 409, code: 'message_not_cancellable' });
    });
  });
});
