import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startScriptedSmtp } from '#test/support/smtp-receiver.js';
import { send } from './support.js';

describe('email delivery: a mail server that cannot be used', () => {
  needProducts('email');
  const replies: Record<string, string> = {};
  const parts: { server?: Awaited<ReturnType<typeof startScriptedSmtp>> } = {};
  const platform = usePlatform({
    async settings() {
      parts.server = await startScriptedSmtp(replies);
      return { SVC_SMTP_URL: `smtp://ann:hush-hush@127.0.0.1:${parts.server.port}` };
    },
  });
  after(() => parts.server?.close());
  beforeEach(() => {
    Object.assign(replies, { EHLO: '250-hi\r\n250 AUTH PLAIN', AUTH: '235 come in', RCPT: '250 fine' });
    platform.logLines.length = 0;
  });
  const logged = (text: string): string[] => platform.logLines.filter((line) => line.includes(text));
  const unusable = (): string[] => logged('the mail server cannot be used');
  const usable = (): string[] => logged('the mail server is usable again');
  const attempted = async (svc: Awaited<ReturnType<typeof platform.account>>['svc'], status: string): Promise<void> => {
    const { messageId } = await send(svc);
    await eventually(async () => {
      const { timeline } = await svc.call('email.message.get', { messageId });
      return timeline.some((each) => each.status === status);
    }, `a delivery attempt that ends as ${status}`);
  };

  it('is in the log at once, then once a minute with the number of failures, and when it ends', async () => {
    const { svc } = await platform.account();
    replies['AUTH'] = '535 5.7.8 wrong';
    for (let i = 0; i < 3; i += 1) await attempted(svc, 'retrying');
    expect(unusable()).to.have.length(1);
    expect(JSON.parse(unusable()[0] ?? '')).to.deep.include({
      level: 'error',
      server: `127.0.0.1:${parts.server?.port}`,
      response: 'The mail server refused the login: 535 5.7.8 wrong',
      failures: 1,
      fix: 'Correct SVC_SMTP_URL or the mail server; waiting mail is retried for a day.',
    });

    platform.clock.advance(minutes(1));
    await eventually(() => unusable().length === 2, 'a second line after a minute');
    expect(JSON.parse(unusable()[1] ?? ''))
      .to.have.property('failures')
      .that.is.at.least(3);
    expect(platform.logLines.join('\n')).not.to.contain('hush-hush');

    replies['AUTH'] = '235 come in';
    await attempted(svc, 'sent');
    await attempted(svc, 'sent');
    expect(usable()).to.have.length(1);
  });

  it('is not in the log where the server refuses single messages or recipients', async () => {
    const { svc } = await platform.account();
    for (const [reply, status] of [
      ['450 4.2.1 greylisted', 'retrying'],
      ['550 5.7.1 refused', 'failed'],
    ] as const) {
      replies['RCPT'] = reply;
      await attempted(svc, status);
    }
    expect(unusable()).to.deep.equal([]);
    expect(usable()).to.deep.equal([]);
  });
});
