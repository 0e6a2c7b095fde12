import { execFile } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { dialog, type Dialog } from '#test/email/inbound/smtp-support.js';
import { ownDomain } from '#test/email/inbound/support.js';
import { proxyBefore, type TcpProxy } from '#test/support/tcp-proxy.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { submissionPort, submissionSettings, submit, type Program } from './support.js';

const run = promisify(execFile);

/** An address of this machine that is not loopback; undefined in a machine without a network. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

const plain = (key: string): string => `AUTH PLAIN ${Buffer.from(`\0shop\0${key}`).toString('base64')}`;

describe('Connections of SMTP submission', function () {
  this.timeout(60_000);
  const proxy: { running?: TcpProxy } = {};
  const platform = usePlatform({
    settings: () => ({ ...submissionSettings, SVC_SUBMISSION_CONNECTIONS: '4' }),
    async databaseUrl(url) {
      const proxied = await proxyBefore(url);
      proxy.running = proxied.proxy;
      return proxied.url;
    },
  });
  after(() => proxy.running?.close());
  const programOf = ({ keys }: TestAccount): Program => ({ port: submissionPort(platform), key: keys.live.secret });
  const letterOf = async (account: TestAccount) => ({
    from: `shop@${await ownDomain(account)}`,
    to: 'ada@example.com',
    subject: 'Hi',
    text: 'Hi',
  });
  const signedIn = async (key: string): Promise<Dialog> => {
    const client = await dialog(submissionPort(platform));
    await client.say('EHLO app.example.com');
    expect(await client.say(plain(key))).to.match(/^235/);
    return client;
  };

  it('have TLS by STARTTLS, and on the other port from the first byte', async () => {
    const account = await platform.account();
    const letter = await letterOf(account);
    const implicit = { ...programOf(account), port: submissionPort(platform, true), isImplicit: true };
    expect((await submit(programOf(account), letter)).code).to.equal(250);
    expect((await submit(implicit, letter)).code).to.equal(250);
  });

  it('offer AUTH without TLS only on loopback', async function () {
    if (outside === undefined) this.skip();
    const account = await platform.account();
    const client = await dialog(submissionPort(platform), outside);
    expect(await client.say('EHLO app.example.com'))
      .to.match(/STARTTLS/)
      .and.not.match(/AUTH/);
    expect(await client.say(plain(account.keys.live.secret))).to.match(/^50[02] /);
    expect(await client.say('MAIL FROM:<a@example.com>')).to.match(/^530 5\.7\.0/);
    client.end();
    expect((await submit({ ...programOf(account), host: outside }, await letterOf(account))).code).to.equal(250);
  });

  it('are refused above the limit of an address', async () => {
    const account = await platform.account();
    const open: Dialog[] = [];
    for (let n = 0; n < 4; n += 1) open.push(await signedIn(account.keys.live.secret));
    const { greeting } = await dialog(submissionPort(platform));
    expect(greeting).to.match(/^421 4\.7\.0 Too many connections from your address/);
    for (const client of open) client.end();
  });

  it('end their key with its revocation', async () => {
    const account = await platform.account();
    const key = await account.svc.call('developers.key.create', {
      name: 'App',
      kind: 'secret',
      permissions: ['email:write'],
    });
    const client = await signedIn(key.plaintext);
    await account.svc.call('developers.key.revoke', { keyId: key.key.id });
    await client.say('MAIL FROM:<a@example.com>');
    await client.say('RCPT TO:<ada@example.com>');
    await client.say('DATA');
    platform.clock.advance(2_000);
    expect(await client.say('From: a@example.com\r\n\r\nHi\r\n.')).to.match(/^550 5\.7\.1 unauthenticated/);
    client.end();
  });

  it('limit wrong keys as over HTTP', async () => {
    const port = submissionPort(platform);
    const replies: string[] = [];
    for (let n = 0; n < 13; n += 1) {
      const client = await dialog(port);
      await client.say('EHLO app.example.com');
      for (let m = 0; m < 8; m += 1) replies.push(await client.say(plain(`svc_live_${n}_${m}`.padEnd(51, 'x'))));
      client.end();
    }
    expect(replies[0]).to.match(/^535 5\.7\.8 unauthenticated/);
    expect(replies.at(-1)).to.match(/^454 4\.7\.0 rate_limited/);
    platform.clock.advance(61_000);
  });

  it('ask to try again while the database is away, and take the message afterwards', async () => {
    const account = await platform.account();
    const from = `shop@${await ownDomain(account)}`;
    const client = await signedIn(account.keys.live.secret);
    const submitOnce = async (): Promise<string> => {
      await client.say(`MAIL FROM:<${from}>`);
      await client.say('RCPT TO:<ada@example.com>');
      await client.say('DATA');
      return client.say(`From: ${from}\r\nMessage-ID: <away@shop.example>\r\nSubject: Hi\r\n\r\nHi\r\n.`);
    };
    proxy.running?.sever();
    expect(await submitOnce()).to.match(/^451 4\.3\.0/);
    proxy.running?.restore();
    let reply = await submitOnce();
    for (let tries = 0; tries < 50 && !reply.startsWith('250'); tries += 1) reply = await submitOnce();
    expect(reply).to.match(/^250 2\.0\.0 /);
    client.end();
    expect((await account.svc.call('email.message.list', {})).messages).to.have.length(1);
  });

  it('take pipelined commands and several messages', async () => {
    const account = await platform.account();
    const from = `shop@${await ownDomain(account)}`;
    const client = await signedIn(account.keys.live.secret);
    for (const n of [1, 2]) {
      client.write(`MAIL FROM:<${from}> BODY=8BITMIME RET=HDRS\r\nRCPT TO:<ada@example.com> NOTIFY=NEVER\r\nDATA\r\n`);
      for (const expected of [/^250/, /^250/, /^354/]) expect(await client.heard()).to.match(expected);
      expect(await client.say(`From: ${from}\r\nSubject: Gr\u00fc\u00dfe ${n}\r\n\r\nHi\r\n.`)).to.match(/^250/);
    }
    client.end();
  });

  it('are those of smtplib in Python', async function () {
    const account = await platform.account();
    const { from } = await letterOf(account);
    const script = `
import smtplib, ssl, sys
from email.message import EmailMessage
host, port, tls, key, sender = sys.argv[1:]
message = EmailMessage()
message['From'], message['To'], message['Subject'] = f'Shop <{sender}>', 'Ada <ada@example.com>', 'Grüße'
message.set_content('Es ist unterwegs. Grüße')
message.add_alternative('<p>Es ist unterwegs.</p>', subtype='html')
message.add_attachment(b'a,b', maintype='text', subtype='csv', filename='räport.csv')
context = ssl._create_unverified_context()
for mode in ('starttls', 'implicit'):
    server = smtplib.SMTP_SSL(host, int(tls), context=context) if mode == 'implicit' else smtplib.SMTP(host, int(port))
    with server:
        if mode == 'starttls': server.starttls(context=context)
        server.login('python', key)
        server.send_message(message)
`;
    const ports = [submissionPort(platform), submissionPort(platform, true)].map(String);
    const python = await run('python3', ['--version']).then(
      () => 'python3',
      () => undefined,
    );
    if (python === undefined) this.skip();
    await run(python, ['-c', script, '127.0.0.1', ...ports, account.keys.live.secret, from]);
    const { messages } = await account.svc.call('email.message.list', {});
    expect(messages.map(({ subject, to, fromName }) => [subject, to, fromName])).to.deep.equal([
      ['Grüße', ['ada@example.com'], 'Shop'],
      ['Grüße', ['ada@example.com'], 'Shop'],
    ]);
    const [one] = messages;
    const { content, submission } = await account.svc.call('email.message.get', { messageId: one?.messageId ?? '' });
    expect([content?.text?.trim(), submission?.user]).to.deep.equal(['Es ist unterwegs. Grüße', 'python']);
  });
});
