import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { relayJobs } from '#plugins/email/delivery/relay-recovery.js';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import type { TestAccount } from '#test/support/platform.js';
import { send, sqlId, useMail } from './support.js';

/** What a mail server answers: by command, and at connect. `drop` closes the connection instead. */
type Fault = Readonly<Record<string, string>> | 'drop';

const healthy: Readonly<Record<string, string>> = {
  connect: '220 fault.example',
  EHLO: '250-fault.example\r\n250 AUTH PLAIN',
  AUTH: '235 2.7.0 OK',
  MAIL: '250 2.1.0 OK',
  RCPT: '250 2.1.5 OK',
  DATA: '354 Go on',
  content: '250 2.0.0 OK',
  QUIT: '221 Bye',
};

/** Answers an SMTP client with a fault. */
function answerWith(fault: Exclude<Fault, 'drop'>, client: Socket): void {
  const replies = { ...healthy, ...fault };
  const say = (command: string): void => {
    const reply = replies[command] ?? '250 OK';
    client.write(`${reply}\r\n`);
    if (reply.startsWith('421')) client.end();
  };
  let isContent = false;
  let isSecured = false;
  let rest = '';
  say('connect');
  client.on('data', (bytes) => {
    if (isSecured) {
      client.end('this is not TLS');
      return;
    }
    rest += bytes.toString('latin1');
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 2);
      if (isContent && line !== '.') continue;
      const command = isContent ? 'content' : (line.split(' ')[0] ?? '').toUpperCase();
      isContent = command === 'DATA' && (replies['DATA'] ?? '').startsWith('354');
      isSecured = command === 'STARTTLS';
      say(command);
    }
  });
}

const faults: Readonly<Record<string, Fault>> = {
  'answers 421 at connect': { connect: '421 4.3.2 Service not available' },
  'answers 554 at connect': { connect: '554 5.7.1 No SMTP service here' },
  'answers 451 at MAIL': { MAIL: '451 4.3.0 Try later' },
  'answers 451 at RCPT': { RCPT: '451 4.3.0 Try later' },
  'answers 451 at DATA': { DATA: '451 4.3.0 Try later' },
  'answers 451 after the content': { content: '451 4.3.0 Try later' },
  'refuses connections': 'drop',
  'fails in TLS': { EHLO: '250-fault.example\r\n250 STARTTLS', STARTTLS: '220 Go on' },
  'refuses the login': { AUTH: '535 5.7.8 Authentication failed' },
  'denies relaying': { RCPT: '550 5.7.1 Relaying denied' },
  'denies relaying, without an enhanced code': { RCPT: '554 <ada@example.com>: Relay access denied' },
  'denies relaying at MAIL': { MAIL: '550 5.7.64 TenantAttribution; Relay Access Denied' },
  'has suspended the account': { MAIL: '554 5.7.0 Account suspended' },
  'has suspended the account, after the content': { content: '554 5.7.0 Account suspended' },
  'refuses this machine': { RCPT: '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked' },
  'has a limit for the account': { content: '550 5.4.5 Daily sending quota exceeded' },
};

describe('A mail server that takes no mail', function () {
  this.timeout(120_000);
  const parts: { fault?: Fault; server?: Server } = {};
  const login = { user: 'svc', password: 'secret' };
  let port = 0;
  const mail = useMail({
    receiver: { login },
    async through(target) {
      parts.server = createServer((client) => {
        client.on('error', () => undefined);
        if (parts.fault === 'drop') client.destroy();
        else if (parts.fault) answerWith(parts.fault, client);
        else {
          const upstream = connect(target, '127.0.0.1');
          upstream.on('error', () => client.destroy());
          client.on('close', () => upstream.destroy());
          client.pipe(upstream).pipe(client);
        }
      });
      parts.server.listen(0, '127.0.0.1');
      await once(parts.server, 'listening');
      const address = parts.server.address();
      port = typeof address === 'object' && address ? address.port : 0;
      return port;
    },
    // A connection carries one message, so that the next one meets the server as it is then.
    settings: () =>
      Promise.resolve({ SVC_SMTP_URL: `smtp://${login.user}:${login.password}@127.0.0.1:${port}?maxMessages=1` }),
  });
  const { platform } = mail;
  after(() => parts.server?.close());
  afterEach(async () => {
    delete parts.fault;
    await platform.settled();
  });

  const attemptsOf = (messageId: string): Promise<number> =>
    platform.count('email_attempt', `message_id = ${sqlId(messageId)}`);
  const tryServer = async (): Promise<void> => {
    for (const job of relayJobs(platform.running.services)) await job.run();
    await platform.settled();
  };
  const invite = async ({ svc, live }: TestAccount): Promise<string> => {
    await svc.call('account.member.invite', { email: 'guest@example.com' });
    const queued = (await platform.events(live)).filter(({ type }) => type === 'email.queued');
    return queued.at(-1)?.subjectId ?? '';
  };

  for (const [name, fault] of Object.entries(faults))
    it(`that ${name} loses no message, and gets all that waits as soon as it takes one, system mail first`, async () => {
      const account = await platform.account();
      const { svc } = account;
      // A message that is accepted: the server has worked until now.
      await mail.mailOf((await send(svc)).messageId);
      await platform.settled();
      parts.fault = fault;
      platform.clock.advance(minutes(2));
      const single = (await send(svc)).messageId;
      const system = await invite(account);
      const both = [single, system];
      for (const [tries, wait] of [0, 1, 5].entries()) {
        platform.clock.advance(minutes(wait));
        for (const id of both)
          await eventually(async () => (await attemptsOf(id)) === tries + 1, `attempt ${tries + 1} of ${name}`);
      }
      await platform.settled();
      expect((await svc.call('email.message.get', { messageId: single })).message.status).to.equal('queued');
      const { retryingSince } = await svc.call('email.stats.get', { since: '2026-01-01', until: '2026-01-02' });
      expect(retryingSince, 'shown on Home').to.be.a('string');

      platform.clock.advance(minutes(1));
      await tryServer();
      expect([await attemptsOf(single), await attemptsOf(system)], 'system mail first').to.deep.equal([3, 4]);
      delete parts.fault;
      platform.clock.advance(minutes(1));
      const { messageId } = await send(svc);
      for (const id of [messageId, ...both]) await mail.mailOf(id);
    });

  it('says so in the log, and tries a message now if somebody asks for it', async () => {
    const { svc } = await platform.account();
    parts.fault = { RCPT: '550 5.7.1 Relaying denied' };
    platform.logLines.length = 0;
    const { messageId } = await send(svc);
    for (const [tries, wait] of [0, 1, 5].entries()) {
      platform.clock.advance(minutes(wait));
      await eventually(async () => (await attemptsOf(messageId)) === tries + 1, `attempt ${tries + 1}`);
    }
    const logged = (): string[] => platform.logLines.filter((line) => line.includes('the mail server accepts no mail'));
    await eventually(() => logged().length === 1, 'a line');
    expect(JSON.parse(logged()[0] ?? '')).to.deep.include({ level: 'error', response: '550 5.7.1 Relaying denied' });
    delete parts.fault;
    await svc.call('email.message.cancel', { messageId, only: 'wait' });
    await mail.mailOf(messageId);
  });

  it('ends no message after 20 refusals in a row, whatever their words, until it accepts one', async () => {
    const { svc } = await platform.account();
    parts.fault = { RCPT: '550 5.7.1 Computer says no' };
    const statusOf = async (messageId: string): Promise<string> =>
      (await svc.call('email.message.get', { messageId })).message.status;
    for (let count = 0; count < 19; count += 1) {
      const { messageId } = await send(svc);
      await eventually(async () => (await statusOf(messageId)) === 'failed', 'it is about the message');
    }
    const kept = (await send(svc)).messageId;
    await eventually(async () => (await attemptsOf(kept)) === 1, 'an attempt');
    expect(await statusOf(kept)).to.equal('queued');
    delete parts.fault;
    platform.clock.advance(minutes(2));
    await mail.mailOf((await send(svc)).messageId);
    await mail.mailOf(kept);
    await platform.settled();
    parts.fault = { RCPT: '550 5.7.1 Computer says no' };
    const ended = (await send(svc)).messageId;
    await eventually(async () => (await statusOf(ended)) === 'failed', 'a single refusal ends it again');
  });
});
