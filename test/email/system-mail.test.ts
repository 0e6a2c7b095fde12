import { expect } from 'chai';
import { themeWith } from '#test/account/theme/theme-with.js';
import { minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import type { ReceivedMail } from '#test/support/smtp-receiver.js';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.js';
import { sqlId, useMail } from './support.js';

describe('system mail', () => {
  const parts: { proxy?: TcpProxy } = {};
  const proxy = (): TcpProxy => {
    if (!parts.proxy) throw new Error('The proxy does not run.');
    return parts.proxy;
  };
  const mail = useMail({
    async through(port) {
      parts.proxy = await startTcpProxy({ host: '127.0.0.1', port });
      return parts.proxy.port;
    },
  });
  const { platform } = mail;
  after(() => parts.proxy?.close());

  let guests = 0;
  /** Invites a new address. @returns it, and the id of the queued message */
  const invite = async ({ svc, live }: TestAccount): Promise<{ email: string; messageId: string }> => {
    const email = `guest-${(guests += 1)}@example.com`;
    await svc.call('account.member.invite', { email });
    const queued = (await platform.events(live)).filter(({ type }) => type === 'email.queued');
    return { email, messageId: queued.at(-1)?.subjectId ?? '' };
  };
  const mailTo = async (email: string): Promise<ReceivedMail> => {
    const received = await mail.smtp.waitFor((all) => all.some(({ recipients }) => recipients.includes(email)));
    const found = received.find(({ recipients }) => recipients.includes(email));
    if (!found) throw new Error('The mail was removed from the receiver.');
    return found;
  };
  const tokenIn = ({ parsed }: ReceivedMail): string => /svc_iv_[A-Za-z0-9]{43}/.exec(parsed.text ?? '')?.[0] ?? 'none';

  /** The columns of all tables that contain the text unencrypted. */
  const whereInTheDatabase = async (text: string): Promise<string[]> => {
    const columns = await platform.running.services.database.rows<{ t: string; c: string }>(
      `SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = DATABASE()
       AND data_type IN ('char', 'varchar', 'binary', 'varbinary', 'tinytext', 'text', 'mediumtext', 'longtext',
         'tinyblob', 'blob', 'mediumblob', 'longblob', 'json')`,
    );
    expect(columns.length).to.be.greaterThan(60);
    const found: string[] = [];
    for (const { t, c } of columns)
      if ((await platform.count(t, `INSTR(CAST(\`${c}\` AS BINARY), '${text}') > 0`)) > 0) found.push(`${t}.${c}`);
    return found;
  };
  const contents = (messageId: string): Promise<number> => platform.count('email_content', `id = ${sqlId(messageId)}`);

  it('arrives from the project, in its theme, with a working link', async () => {
    const account = await platform.account();
    await account.svc.call('account.theme.draft.save', {
      theme: themeWith({ brandName: 'Ünï & Söhne', supportEmail: 'help@example.com' }),
    });
    await account.svc.call('account.theme.publish', {});
    const { email, messageId } = await invite(account);
    const arrived = await mail.mailOf(messageId);
    const { ownAddress } = await account.svc.call('email.sender.get', {});
    expect(arrived.recipients).to.deep.equal([email]);
    expect(arrived.parsed.from).to.deep.include({ name: 'Ünï & Söhne', address: ownAddress });
    expect(arrived.parsed.replyTo?.map(({ address }) => address)).to.deep.equal(['help@example.com']);
    expect(arrived.parsed.text).to.contain('Ünï & Söhne');
    for (const part of ['Ünï &amp; Söhne', '#003366', '#0044aa', 'Georgia'])
      expect(arrived.parsed.html).to.contain(part);
    const link = `${platform.running.services.deployment.baseUrl}/invite?token=${tokenIn(arrived)}`;
    expect(arrived.parsed.text).to.contain(link);
    expect(arrived.parsed.html).to.contain(`href="${link}"`);
    const described = await platform.api.call('account.invite.describe', { token: tokenIn(arrived) });
    expect(described.email).to.equal(email);
  });

  it('is encrypted while queued, and its content is deleted once it was sent', async () => {
    const account = await platform.account();
    proxy().sever();
    const { email, messageId } = await invite(account);
    await platform.settled();
    expect(await platform.count('email_queue', `id = ${sqlId(messageId)} AND lane = 0`), 'waits in its lane').to.equal(
      1,
    );
    expect(await contents(messageId)).to.equal(1);
    const { database } = platform.running.services;
    const dumped = await whereInTheDatabase('guest-'); // the search does find what is there
    expect(dumped).to.include.members(['email_message.to_addresses', 'account_member.email', 'svc_event.data']);
    const subjectWhileQueued = await whereInTheDatabase('invited you to');
    proxy().restore();
    platform.clock.advance(minutes(1));
    const arrived = await mailTo(email);
    await platform.settled();
    const token = tokenIn(arrived);
    const secrets = [token, token.slice('svc_iv_'.length), '/invite?token', arrived.parsed.subject ?? '', 'Join Acme'];
    for (const secret of secrets) expect(await whereInTheDatabase(secret), secret).to.deep.equal([]);
    expect(subjectWhileQueued).to.deep.equal([]);
    expect(await contents(messageId), 'erased').to.equal(0);
    const [kept] = await database.rows<{ subject: string | null }>(
      `SELECT subject FROM email_message WHERE id = ${sqlId(messageId)}`,
    );
    expect(kept).to.deep.equal({ subject: null });
    expect(platform.logLines.join('\n')).not.to.contain(token);
    // The same token again, while the mail that repeats it is queued.
    proxy().sever();
    await account.svc.call('account.member.invite', { email });
    await platform.settled();
    for (const secret of secrets) expect(await whereInTheDatabase(secret), `${secret}, queued`).to.deep.equal([]);
    proxy().restore();
    platform.clock.advance(minutes(1));
    await platform.settled();
    const tokens = mail.smtp.received.filter(({ recipients }) => recipients.includes(email)).map(tokenIn);
    expect(tokens, 'the queued mail did hold it').to.deep.equal([token, token]);
  });

  it('is shown as system mail, without subject and content', async () => {
    const account = await platform.account();
    const { email, messageId } = await invite(account);
    await platform.settled();
    const shown = await account.svc.call('email.message.get', { messageId });
    expect(shown.message).to.deep.include({
      system: true,
      subject: null,
      status: 'sent',
      template: 'account.member.invite',
      to: [email],
    });
    expect(shown.content).to.equal(null);
    const { messages } = await account.svc.call('email.message.list', {});
    expect(messages).to.deep.equal([shown.message]);
    const told = (await platform.events(account.live)).filter(({ subjectId }) => subjectId === messageId);
    expect(told.map(({ type, data }) => [type, JSON.stringify(data).includes('"subject":null')])).to.deep.equal([
      ['email.queued', true],
      ['email.sent', true],
    ]);
  });

  it('does not keep the content of cancelled or failed mail', async () => {
    const account = await platform.account();
    proxy().sever();
    const cancelled = await invite(account);
    await platform.settled();
    await account.svc.call('email.message.cancel', { messageId: cancelled.messageId });
    proxy().restore();
    mail.smtp.onRecipient = () => ({ code: 550, message: 'no such user' });
    const failed = await invite(account);
    await platform.settled();
    mail.smtp.onRecipient = () => null;
    expect((await account.svc.call('email.message.get', { messageId: failed.messageId })).message.status).to.equal(
      'failed',
    );
    expect([await contents(cancelled.messageId), await contents(failed.messageId)]).to.deep.equal([0, 0]);
  });

  it('is also sent for a project whose name a header cannot contain', async () => {
    const opened = await platform.account();
    for (const name of ['Shop\r\nBcc: eve', '=?utf-8?q?Shop?=', '\u0007']) {
      const { keys } = await opened.svc.call('account.project.create', { name });
      const email = `guest-${(guests += 1)}@example.com`;
      expect(keys.live?.secret).to.be.a('string');
      await opened.svc.call('account.member.invite', { email }, { key: keys.live?.secret });
      const arrived = await mailTo(email);
      expect(arrived.recipients).to.deep.equal([email]);
      expect(arrived.parsed.bcc ?? []).to.deep.equal([]);
      expect(arrived.parsed.from?.address).to.match(/^hello@/);
    }
  });
});
