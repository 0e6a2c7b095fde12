import { expect } from 'chai';
import { relayJobs } from '#plugins/email/delivery/relay-recovery.js';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import type { TestAccount } from '#test/support/platform.js';
import { send, useMail } from './support.js';

describe('email delivery: mail that waited for the mail server', () => {
  const mail = useMail();
  const { platform } = mail;
  const refuseAll = (): void => {
    mail.smtp.onRecipient = () => ({ code: 451, message: '4.3.0 Local error, try later' });
  };
  const acceptAll = (): void => {
    mail.smtp.onRecipient = () => null;
  };
  afterEach(async () => {
    acceptAll();
    await platform.settled();
  });
  const statusOf = async ({ svc }: TestAccount, messageId: string): Promise<string> =>
    (await svc.call('email.message.get', { messageId })).message.status;
  const attemptsOf = ({ svc }: TestAccount, messageId: string): Promise<number> =>
    svc
      .call('email.message.get', { messageId })
      .then(({ timeline }) => timeline.filter(({ status }) => status === 'retrying').length);
  /** Runs the job that tries the mail server, as each minute. */
  const tryServer = async (): Promise<void> => {
    for (const job of relayJobs(platform.running.services)) await job.run();
    await platform.settled();
  };
  /** A message that failed at 0 and 1 minute, and waits until 6 minutes. */
  const waitingMessage = async (account: TestAccount): Promise<string> => {
    const { messageId } = await send(account.svc);
    await eventually(async () => (await attemptsOf(account, messageId)) === 1, 'the first attempt');
    platform.clock.advance(minutes(1));
    await eventually(async () => (await attemptsOf(account, messageId)) === 2, 'the second attempt');
    return messageId;
  };

  it('is due as soon as the server accepts any message', async () => {
    const account = await platform.account();
    refuseAll();
    const waiting = await waitingMessage(account);
    const retryingSince = async (): Promise<string | null> =>
      (await account.svc.call('email.stats.get', { since: '2026-01-01', until: '2026-01-02' })).retryingSince;
    const since = await retryingSince();
    expect(Date.parse(since ?? '')).to.be.closeTo(platform.clock.now().getTime() - minutes(1), 30_000);
    platform.clock.advance(minutes(1));
    acceptAll();
    const { messageId } = await send(account.svc);
    await mail.mailOf(messageId);
    await mail.mailOf(waiting);
    await eventually(async () => (await statusOf(account, waiting)) === 'sent', 'it is sent');
    await platform.settled();
    expect(await retryingSince()).to.equal(null);
    await tryServer();
    expect(await platform.count('email_retry'), 'rows of ended messages').to.equal(0);
  });

  it('is tried each minute while the server accepts nothing', async () => {
    const account = await platform.account();
    refuseAll();
    const waiting = await waitingMessage(account);
    await tryServer();
    expect(await attemptsOf(account, waiting), 'it was tried a moment ago').to.equal(2);
    platform.clock.advance(minutes(1));
    await tryServer();
    expect(await attemptsOf(account, waiting)).to.equal(3);
    acceptAll();
    platform.clock.advance(minutes(1));
    await tryServer();
    await mail.mailOf(waiting);
  });

  it('keeps its schedule while the server refuses only some', async () => {
    const account = await platform.account();
    mail.smtp.onRecipient = (address) =>
      address.startsWith('grey') ? { code: 451, message: '4.7.1 Greylisted' } : null;
    const { messageId } = await send(account.svc, { to: ['grey@shop.example'] });
    await eventually(async () => (await attemptsOf(account, messageId)) === 1, 'the first attempt');
    for (let second = 0; second < 50; second += 10) {
      platform.clock.advance(10_000);
      await mail.mailOf((await send(account.svc)).messageId);
      await tryServer();
    }
    expect(await attemptsOf(account, messageId)).to.equal(1);
  });

  it('is not tried more often because of a full mailbox', async () => {
    const account = await platform.account();
    mail.smtp.onRecipient = () => ({ code: 452, message: '4.2.2 Mailbox full' });
    const waiting = await waitingMessage(account);
    platform.clock.advance(minutes(1));
    await tryServer();
    expect(await attemptsOf(account, waiting)).to.equal(2);
  });

  it('is in the log once the server has accepted nothing for five minutes', async () => {
    const account = await platform.account();
    platform.logLines.length = 0;
    refuseAll();
    const logged = (): string[] => platform.logLines.filter((line) => line.includes('the mail server accepts no mail'));
    const metric = async (name: string): Promise<number> => {
      const { text } = await platform.api.raw('/metrics', undefined, { method: 'GET' });
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length),
      );
    };
    const oldest = 'svc_work_oldest_retry_seconds{queue="email.delivery"}';
    const lines = 'svc_log_errors_total{message="the mail server accepts no mail"}';
    expect(await metric(oldest)).to.equal(0);
    expect(await metric(lines), 'counted from 0').to.equal(0);
    await waitingMessage(account);
    expect(logged()).to.deep.equal([]);
    expect(await metric(oldest)).to.be.closeTo(60, 30);
    platform.clock.advance(minutes(5));
    await eventually(() => logged().length === 1, 'a line');
    expect(await metric(lines)).to.equal(1);
    expect(JSON.parse(logged()[0] ?? '')).to.deep.include({
      level: 'error',
      response: '451 4.3.0 Local error, try later',
    });
  });
});
