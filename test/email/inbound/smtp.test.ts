import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTransport } from 'nodemailer';
import { proxyBefore, type TcpProxy } from '#test/support/tcp-proxy.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { addVerifiedDomain, ownDomain, rawMail } from './support.js';
import { deliver, dialog, hangUp, smtpPort } from './smtp-support.js';

const pem = (name: string): string => fileURLToPath(new URL(`../../runtime/tls/${name}.pem`, import.meta.url));

describe('The SMTP receiver', () => {
  const proxy: { running?: TcpProxy } = {};
  const platform = usePlatform({
    settings: () => ({ SVC_INBOUND_SMTP_PORT: '0', SVC_INBOUND_CONNECTIONS_PER_IP: '5' }),
    async databaseUrl(url) {
      const proxied = await proxyBefore(url);
      proxy.running = proxied.proxy;
      return proxied.url;
    },
  });
  after(() => proxy.running?.close());

  const received = async ({ svc }: TestAccount) => (await svc.call('email.inbound.list', {})).inbound;

  it('stores a message before it says so', async () => {
    const account = await platform.account();
    const to = `help@${await ownDomain(account)}`;
    const { code, text } = await deliver(smtpPort(platform), rawMail(), { to });
    const [inbound] = await received(account);
    expect([code, text]).to.deep.equal([250, `2.0.0 Stored as ${inbound?.inboundId}`]);
    expect([inbound?.envelopeFrom, inbound?.envelopeTo]).to.deep.equal(['ada@example.com', to]);
  });

  it('stores a message that is sent again once', async () => {
    const account = await platform.account();
    const to = `help@${await ownDomain(account)}`;
    const first = await deliver(smtpPort(platform), rawMail(), { to });
    expect(await deliver(smtpPort(platform), rawMail(), { to })).to.deep.equal(first);
    expect(await received(account)).to.have.length(1);
  });

  it('takes mail for addresses of this deployment alone, and lets go who guesses', async () => {
    const account = await platform.account();
    const own = await ownDomain(account);
    const client = await dialog(smtpPort(platform));
    expect(await client.say('EHLO mx.example.com'))
      .to.match(/SIZE 26214400/)
      .and.not.match(/STARTTLS|AUTH|SMTPUTF8/);
    expect(await client.say('MAIL FROM:<ada@example.com>')).to.match(/^250/);
    for (const to of [
      'bob@gmail.com',
      `bob@${own}.example`,
      'bob@localhost',
      `@a.example:bob@gmail.com`,
      `bob%gmail.com@nobody.mail.localhost`,
    ])
      expect(await client.say(`RCPT TO:<${to}>`), to).to.match(/^5\d\d /);
    expect(await client.say('DATA')).to.match(/^503/);
    expect(await client.say(`RCPT TO:<help@${own}>`)).to.match(/^250/);
    const replies: string[] = [];
    for (let n = 0; n < 10; n += 1) replies.push(await client.say(`RCPT TO:<a${n}@nobody.example>`));
    expect(replies.some((reply) => reply.startsWith('421 4.7.0'))).to.equal(true);
    await client.closed();
  });

  it('refuses mail to a domain that does not receive, and tells its owner', async () => {
    const account = await platform.account();
    await addVerifiedDomain(platform, account, { domain: 'silent.example', receiving: false });
    const { code, text } = await deliver(smtpPort(platform), rawMail(), { to: 'help@silent.example' });
    expect([code, text]).to.deep.equal([550, '550 5.7.1 This domain does not receive mail']);
    const refused = (await platform.events(account.live)).filter(({ type }) => type === 'email.inbound.refused');
    expect(refused.map(({ data }) => data['refused'])).to.deep.include.members([
      {
        envelopeFrom: 'ada@example.com',
        envelopeTo: 'help@silent.example',
        reason: 'receiving_off',
        fix: 'Call email.domain.receiving.enable for the domain to receive its mail.',
      },
    ]);
  });

  it('stores a message for each of its recipients, with one content', async () => {
    const account = await platform.account();
    const own = await ownDomain(account);
    const contents = (): Promise<number> => platform.count('email_inbound_content');
    const before = await contents();
    const { code } = await deliver(smtpPort(platform), rawMail(), { to: [`a@${own}`, `b@${own}`, `a@${own}`] });
    expect(await contents()).to.equal(before + 1);
    expect(code).to.equal(250);
    const inbound = await received(account);
    expect(inbound.map(({ envelopeTo }) => envelopeTo).sort()).to.deep.equal([`a@${own}`, `b@${own}`]);
    const [one, two] = inbound.map(({ inboundId }) => inboundId);
    await account.svc.call('email.inbound.delete', { inboundId: one ?? '' });
    expect((await account.svc.call('email.inbound.get', { inboundId: two ?? '' })).text).to.contain('broken');
    await account.svc.call('email.inbound.delete', { inboundId: two ?? '' });
    expect(await contents()).to.equal(before);
  });

  it('has recipients of another environment sent another copy', async () => {
    const [one, two] = [await platform.account(), await platform.account()];
    const to = [`a@${await ownDomain(one)}`, `b@${await ownDomain(two)}`];
    const { code, refused } = await deliver(smtpPort(platform), rawMail(), { to });
    expect([code, refused]).to.deep.equal([250, { [to[1] ?? '']: 452 }]);
    expect(await received(two)).to.have.length(0);
    expect((await deliver(smtpPort(platform), rawMail(), { to: to[1] ?? '' })).code).to.equal(250);
    expect([await received(one), await received(two)].map((each) => each.length)).to.deep.equal([1, 1]);
  });

  it('refuses what is too large, announced or not, and what cannot be read', async function () {
    this.timeout(60_000);
    const account = await platform.account();
    const to = `help@${await ownDomain(account)}`;
    const client = await dialog(smtpPort(platform));
    await client.say('EHLO mx.example.com');
    expect(await client.say('MAIL FROM:<ada@example.com> SIZE=26214401')).to.match(/^552/);
    client.end();
    const large = Buffer.concat([Buffer.from(rawMail()), Buffer.alloc(26_300_000, `${'A'.repeat(98)}\r\n`)]);
    expect((await deliver(smtpPort(platform), large, { to })).code).to.equal(552);
    const loop = 'Received: from a by b; now\r\n'.repeat(150) + rawMail();
    const { code, text } = await deliver(smtpPort(platform), loop, { to });
    expect([code, text]).to.deep.equal([554, '554 5.4.6 The message has passed through more than 100 mail servers']);
    expect(await received(account)).to.deep.equal([]);
  });

  it('receives mail while one address sends more than its share of the memory', async function () {
    this.timeout(120_000);
    const port = smtpPort(platform);
    const account = await platform.account();
    const to = `help@${await ownDomain(account)}`;
    const large = (id: string): string =>
      rawMail({ 'Message-ID': `<${id}@example.com>` }, `${'A'.repeat(950)}\r\n`.repeat(27_000));
    const senders = [];
    for (let n = 0; n < 5; n += 1) {
      const sender = await dialog(port);
      await sender.say('EHLO mx.example.com');
      await sender.say('MAIL FROM:<ada@example.com>');
      await sender.say(`RCPT TO:<${to}>`);
      await sender.say('DATA');
      await sender.flush(large(`sender-${n}`));
      senders.push(sender);
    }
    const other = await deliver(port, large('other'), { to, localAddress: '127.0.0.2' });
    expect(other.code, other.text).to.equal(250);
    const replies = [];
    for (const sender of senders) {
      replies.push(await sender.say('\r\n.'));
      sender.end();
    }
    expect(replies[0]).to.match(/^250 2\.0\.0 Stored/);
    for (const reply of replies.slice(1))
      expect(reply).to.equal('452 4.3.1 Too much mail is arriving from your address at once, please try again later');
    const again = await deliver(port, large('sender-1'), { to });
    expect(again.code, again.text).to.equal(250);
    expect(await received(account)).to.have.length(3);
  });

  it('asks to try again while the database is away', async function () {
    this.timeout(60_000);
    const account = await platform.account();
    const to = `help@${await ownDomain(account)}`;
    const client = await dialog(smtpPort(platform));
    await client.say('EHLO mx.example.com');
    await client.say('MAIL FROM:<ada@example.com>');
    expect(await client.say(`RCPT TO:<${to}>`)).to.match(/^250/);
    expect(await client.say('DATA')).to.match(/^354/);
    proxy.running?.sever();
    expect(await client.say(`${rawMail()}\r\n.`)).to.match(/^451 4\.3\.0/);
    await client.say('MAIL FROM:<ada@example.com>');
    expect(await client.say(`RCPT TO:<${to}>`)).to.match(/^451 4\.3\.0/);
    proxy.running?.restore();
    client.end();
    expect((await deliver(smtpPort(platform), rawMail(), { to })).code).to.equal(250);
    expect(await received(account)).to.have.length(1);
  });

  it('holds an address to its connections', async () => {
    const port = smtpPort(platform);
    const open = await Promise.all(Array.from({ length: 5 }, () => dialog(port)));
    const sixth = await dialog(port);
    expect(sixth.greeting).to.match(/^421 4\.7\.0/);
    await sixth.closed();
    expect(await open[0]?.say('NOOP')).to.match(/^250/);
    open[0]?.write('QUIT\r\n');
    await open[0]?.closed();
    const next = await dialog(port);
    expect(next.greeting).to.match(/^220/);
    for (const each of [...open, next]) each.end();
  });

  it('holds an address to its connections whose other ones ended before they were greeted', async () => {
    const port = smtpPort(platform);
    const open = await Promise.all(Array.from({ length: 5 }, () => dialog(port)));
    // The server greets after 100 ms, in which it looks for clients that talk too soon.
    for (let n = 0; n < 5; n += 1) await hangUp(port);
    const sixth = await dialog(port);
    expect(sixth.greeting).to.match(/^421 4\.7\.0/);
    await sixth.closed();
    for (const each of open) each.end();
  });

  it('finishes the message that is arriving when the server stops, and asks others to come back', async () => {
    const account = await platform.account();
    const to = `help@${await ownDomain(account)}`;
    const [sender, idle] = [await dialog(smtpPort(platform)), await dialog(smtpPort(platform))];
    await sender.say('EHLO mx.example.com');
    await sender.say('MAIL FROM:<ada@example.com>');
    await sender.say(`RCPT TO:<${to}>`);
    await sender.say('DATA');
    const restarted = platform.restart();
    expect(await idle.heard()).to.match(/^421 4\.3\.2/);
    expect(await sender.say(`${rawMail()}\r\n.`)).to.match(/^250 2\.0\.0 Stored/);
    expect(await sender.heard()).to.match(/^421 4\.3\.2/);
    await restarted;
    expect(await received(account)).to.have.length(1);
    expect((await dialog(smtpPort(platform))).greeting).to.match(/^220/);
  });
});

describe('The SMTP receiver with a certificate', () => {
  const platform = usePlatform({
    settings: () => ({
      SVC_INBOUND_SMTP_PORT: '0',
      SVC_INBOUND_TLS_CERT: pem('server'),
      SVC_INBOUND_TLS_KEY: pem('server-key'),
      SVC_MAIL_INBOUND_HOST: 'mx.shop.example',
    }),
  });

  it('offers STARTTLS under its own name', async () => {
    const account = await platform.account();
    const port = smtpPort(platform);
    const client = await dialog(port);
    expect(client.greeting).to.match(/^220 mx\.shop\.example ESMTP/);
    expect(await client.say('EHLO x')).to.match(/STARTTLS/);
    client.end();
    const transport = createTransport({
      host: '127.0.0.1',
      port,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    });
    const to = `help@${await ownDomain(account)}`;
    const { response } = await transport.sendMail({ envelope: { from: 'a@example.com', to }, raw: rawMail() });
    expect(response).to.match(/^250/);
    expect((await account.svc.call('email.inbound.list', {})).inbound).to.have.length(1);
  });
});
