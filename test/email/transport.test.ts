import { expect } from 'chai';
import { composeMessage, type Composable } from '#plugins/email/delivery/compose.js';
import type { DeliveryReport } from '#core/messaging/driver.js';
import { smtpTransport, type SmtpLimits } from '#plugins/email/delivery/smtp/transport.js';
import type { MailTransport } from '#plugins/email/transport.js';
import {
  startScriptedSmtp,
  startSmtpReceiver,
  type ReceiverOptions,
  type ScriptedReply,
  type SmtpReceiver,
  type SmtpReply,
} from '#test/support/smtp-receiver.js';

const from = 'bounce@acme.mail.localhost';
const raw = Buffer.from('From: a@x.example\r\nSubject: hi\r\n\r\nbody\r\n.\r\n');

const closers: (() => Promise<void>)[] = [];
const receiver = async (options?: ReceiverOptions): Promise<SmtpReceiver> => {
  const started = await startSmtpReceiver(options);
  closers.push(() => started.close());
  return started;
};
const transport = (url: string, limits?: Partial<SmtpLimits>): MailTransport => {
  const made = smtpTransport(url, { closeMs: 50, ...limits });
  closers.unshift(() => made.close());
  return made;
};
const outcomes = ({ recipients }: DeliveryReport) =>
  recipients.map(({ address, outcome, code }) => [address, outcome, code]);
const onlyResponse = ({ recipients }: DeliveryReport): string => {
  expect(recipients).to.have.length(1);
  return recipients[0]?.response ?? '';
};

const scripted = async (replies: Record<string, string> | ScriptedReply, greeting?: string): Promise<string> => {
  const started = await startScriptedSmtp(replies, greeting);
  closers.push(() => started.close());
  return `smtp://ann:hush-hush@127.0.0.1:${started.port}`;
};

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('SMTP transport', () => {
  it('sends the octets unchanged, to the envelope’s recipients and not to the headers’', async () => {
    const server = await receiver();
    const report = await transport(server.url).deliver({
      envelopeFrom: from,
      recipients: ['a@x.example', 'b@bücher.example'],
      raw,
    });
    expect(outcomes(report)).to.deep.equal([
      ['a@x.example', 'sent', 250],
      ['b@bücher.example', 'sent', 250],
    ]);
    expect(report.durationMs).to.be.within(1, 5000);
    const [mail] = await server.waitFor(1);
    expect(mail?.envelopeFrom).to.equal(from);
    expect(mail?.recipients).to.deep.equal(['a@x.example', 'b@xn--bcher-kva.example']);
    expect(mail?.raw.equals(raw)).to.equal(true);
  });

  it('sends from the null sender, and once to a recipient given twice', async () => {
    const server = await receiver();
    const recipients = ['a@x.example', 'a@X.example'];
    const report = await transport(server.url).deliver({ envelopeFrom: '', recipients, raw });
    expect(outcomes(report)).to.deep.equal(recipients.map((address) => [address, 'sent', 250]));
    expect(server.received.map(({ envelopeFrom, recipients }) => [envelopeFrom, recipients])).to.deep.equal([
      ['', ['a@x.example']],
    ]);
  });

  it('reports each recipient’s own answer', async () => {
    const answers: Record<string, SmtpReply> = {
      'late@x.example': { code: 450, message: '4.2.1 try later' },
      'gone@x.example': { code: 550, message: '5.1.1 no such user' },
      'many@x.example': { code: 552, message: '5.5.3 too many recipients' },
      'full@x.example': { code: 552, message: '5.2.2 mailbox full' },
    };
    const server = await receiver({ onRecipient: (address) => answers[address] ?? null });
    const mail = { envelopeFrom: from, recipients: [...Object.keys(answers), 'ok@x.example'], raw };
    const expected = [
      ['late@x.example', 'temporary', 450],
      ['gone@x.example', 'permanent', 550],
      ['many@x.example', 'temporary', 552],
      ['full@x.example', 'permanent', 552],
    ];
    const client = transport(server.url);
    const report = await client.deliver(mail);
    expect(outcomes(report)).to.deep.equal([...expected, ['ok@x.example', 'sent', 250]]);
    expect(report.recipients[1]?.response).to.equal('550 5.1.1 no such user');
    expect(server.received.map(({ recipients }) => recipients)).to.deep.equal([['ok@x.example']]);

    const all = await client.deliver({ ...mail, recipients: Object.keys(answers) });
    expect(outcomes(all)).to.deep.equal(expected);
    expect(server.received).to.have.length(1);
    expect(server.connections()).to.equal(1);
  });

  for (const [code, outcome] of [
    [451, 'temporary'],
    [554, 'permanent'],
  ] as const) {
    it(`takes ${code} at the end of DATA for everybody's answer, and stays usable`, async () => {
      const server = await receiver({ onMessage: () => ({ code, message: 'not this one' }) });
      const client = transport(server.url);
      const mail = { envelopeFrom: from, recipients: ['a@x.example', 'b@x.example'], raw };
      expect(outcomes(await client.deliver(mail))).to.deep.equal(
        mail.recipients.map((address) => [address, outcome, code]),
      );
      server.onMessage = () => null;
      expect(outcomes(await client.deliver(mail))).to.deep.equal(
        mail.recipients.map((address) => [address, 'sent', 250]),
      );
      expect(server.received).to.have.length(1);
    });
  }

  it('delivers only to the one mailbox that a recipient names', async () => {
    const server = await receiver();
    const hostile = [
      'a@x.example, b@y.example',
      'team: b@y.example;',
      'Ann <b@y.example>',
      'b@y.example>\r\nRCPT TO:<eve@y.example',
      'b@y.example\r\nRSET',
      '"a@x.example, b"@y.example',
    ];
    const report = await transport(server.url).deliver({
      envelopeFrom: from,
      recipients: [...hostile, 'ok@x.example'],
      raw,
    });
    expect(outcomes(report)).to.deep.equal([
      ...hostile.map((address) => [address, 'permanent', null]),
      ['ok@x.example', 'sent', 250],
    ]);
    expect(server.received.map(({ recipients }) => recipients)).to.deep.equal([['ok@x.example']]);

    const client = transport(server.url);
    for (const envelopeFrom of ['a@x.example>\r\nRCPT TO:<eve@y.example', 'a@x.example, b@y.example']) {
      const refused = await client.deliver({ envelopeFrom, recipients: ['ok@x.example'], raw });
      expect(outcomes(refused)).to.deep.equal([['ok@x.example', 'permanent', null]]);
    }
    expect(server.received).to.have.length(1);
  });

  it('does not end DATA early on a lone CR or LF around a dot', async () => {
    const server = await receiver();
    const body = 'Subject: hi\r\n\r\none\n.\nMAIL FROM:<eve@x.example>\r.\rtwo\n.\r\nthree\r\n';
    await transport(server.url).deliver({ envelopeFrom: from, recipients: ['a@x.example'], raw: Buffer.from(body) });
    expect(server.received).to.have.length(1);
    expect(server.received[0]?.raw.toString()).to.equal(body.replace(/\r\n|\r|\n/g, '\r\n'));
  });

  it('carries a composed message with 10 MiB attached, identical when repeated', async () => {
    const server = await receiver();
    const message: Composable = {
      messageId: '0198f2a0-0000-7000-8000-000000000001',
      messageIdDomain: 'acme.mail.localhost',
      date: new Date(0),
      from: { name: 'Acme', address: 'hello@acme.mail.localhost' },
      to: ['a@x.example'],
      cc: [],
      replyTo: [],
      names: {},
      subject: 'Grüße',
      text: 'Hi',
      html: '<p>Hi</p>',
      headers: {},
      attachments: [
        {
          filename: 'f.bin',
          contentType: 'application/octet-stream',
          contentId: null,
          content: Buffer.alloc(10 * 1024 * 1024, 'x'),
        },
      ],
    };
    const client = transport(server.url);
    for (let times = 0; times < 2; times += 1) {
      const report = await client.deliver({
        envelopeFrom: from,
        recipients: ['a@x.example'],
        raw: await composeMessage(message),
      });
      expect(outcomes(report)).to.deep.equal([['a@x.example', 'sent', 250]]);
    }
    const [first, second] = server.received;
    expect(first?.parsed.subject).to.equal('Grüße');
    expect(first && second?.raw.equals(first.raw)).to.equal(true);
  });

  it('reports a message above the server’s size limit as permanent, announced or not', async () => {
    const announced = await receiver({ size: 1000 });
    const mail = { envelopeFrom: from, recipients: ['a@x.example'], raw: Buffer.alloc(2000, 'x\r\n') };
    expect(outcomes(await transport(announced.url).deliver(mail))).to.deep.equal([['a@x.example', 'permanent', null]]);

    const url = await scripted({ EHLO: '250-hi\r\n250 SIZE', MAIL: '552 5.3.4 too large' });
    expect(outcomes(await transport(url).deliver(mail))).to.deep.equal([['a@x.example', 'permanent', 552]]);
  });
});

describe('SMTP transport: failures', () => {
  const mail = { envelopeFrom: from, recipients: ['a@x.example'], raw };
  const temporary = (code: number | null) => [['a@x.example', 'temporary', code]];

  it('reports a refused connection and an unknown host as temporary', async () => {
    const server = await startSmtpReceiver();
    await server.close();
    const report = await transport(server.url).deliver(mail);
    expect(outcomes(report)).to.deep.equal(temporary(null));
    expect(onlyResponse(report)).to.contain('ECONNREFUSED');
    expect(outcomes(await transport('smtp://nowhere.invalid').deliver(mail))).to.deep.equal(temporary(null));
  });

  it('gives up on a server that never greets, or greets too late', async () => {
    for (const options of [{ hang: true }, { greetingDelayMs: 5000 }]) {
      const server = await receiver(options);
      const report = await transport(server.url, { greetingMs: 200 }).deliver(mail);
      expect(outcomes(report)).to.deep.equal(temporary(null));
      expect(onlyResponse(report)).to.match(/greeting/i);
      expect(report.durationMs).to.be.within(150, 3000);
    }
  });

  it('gives up on a server that falls silent, and comes back once it answers', async () => {
    const server = await receiver();
    const client = transport(server.url, { silenceMs: 1_000 });
    expect(outcomes(await client.deliver(mail))).to.deep.equal([['a@x.example', 'sent', 250]]);
    server.hang = true;
    const report = await client.deliver(mail);
    expect(outcomes(report)).to.deep.equal(temporary(null));
    expect(report.durationMs).to.be.within(900, 10_000);
    server.hang = false;
    expect(outcomes(await client.deliver(mail))).to.deep.equal([['a@x.example', 'sent', 250]]);
  });

  it('keeps what the server said about single recipients when it refuses the message', async () => {
    for (const last of [554, 451]) {
      const url = await scripted((line) => {
        if (line.startsWith('EHLO')) return '250-hi\r\n250 PIPELINING';
        if (line.startsWith('RCPT') && line.includes('gone@')) return '550 5.1.1 no such user';
        return line === '.' ? `${last} no` : undefined;
      });
      const report = await transport(url).deliver({ ...mail, recipients: ['ok@x.example', 'gone@x.example'] });
      expect(outcomes(report).map(([, , code]) => code)).to.deep.equal([last, 550]);
    }
  });

  it('times out on a server that never finishes its answer, and while waiting for a connection', async () => {
    const url = await scripted((line, socket) => {
      if (!line.startsWith('MAIL')) return undefined;
      const drip = setInterval(() => socket.write('250-wait\r\n'), 20);
      socket.once('close', () => clearInterval(drip));
      return null;
    });
    const client = transport(`${url}?maxConnections=1`, { deliverMs: 300 });
    for (const report of await Promise.all([client.deliver(mail), client.deliver(mail), client.deliver(mail)])) {
      expect(outcomes(report)).to.deep.equal(temporary(null));
      expect(onlyResponse(report)).to.contain('within 0.3 s');
      expect(report.durationMs).to.be.within(250, 2000);
    }
  });

  it('does not let one stalled delivery delay the next', async () => {
    const url = await scripted((line) => (line.includes('slow@') ? null : undefined));
    const client = transport(url, { silenceMs: 1000 });
    const slow = client.deliver({ ...mail, recipients: ['slow@x.example'] });
    for (let times = 0; times < 20; times += 1) {
      const quick = await client.deliver(mail);
      expect(outcomes(quick)).to.deep.equal([['a@x.example', 'sent', 250]]);
      expect(quick.durationMs).to.be.lessThan(500);
    }
    expect(outcomes(await slow)).to.deep.equal([['slow@x.example', 'temporary', null]]);
  });

  it('reports a connection that breaks at any point as temporary', async () => {
    for (const verb of ['EHLO', 'MAIL', 'RCPT', 'DATA', '.']) {
      const url = await scripted((line, socket) => {
        if (line === verb || line.startsWith(`${verb} `)) socket.destroy();
        return undefined;
      });
      expect(outcomes(await transport(url).deliver(mail)), verb).to.deep.equal(temporary(null));
    }
  });

  it('reports session failures as temporary for all recipients', async () => {
    const cases: [string, number][] = [
      [await scripted({}, '554 no service here'), 554],
      [await scripted({}, '421 too busy'), 421],
      [await scripted({ MAIL: '530 5.7.0 authentication required' }), 530],
      [await scripted({ MAIL: '503 bad sequence' }), 503],
      [await scripted({ MAIL: '421 closing' }), 421],
      [await scripted({ RCPT: '421 closing' }), 421],
      [await scripted({ EHLO: '250-hi\r\n250 STARTTLS', STARTTLS: '454 not now' }), 454],
      [await scripted({ EHLO: '250-hi\r\n250 STARTTLS', STARTTLS: '554 never' }), 554],
    ];
    for (const [url, code] of cases)
      expect(outcomes(await transport(url).deliver(mail))).to.deep.equal(temporary(code));
    const refused = await transport(await scripted({ MAIL: '553 5.7.1 sender refused' })).deliver(mail);
    expect(outcomes(refused)).to.deep.equal([['a@x.example', 'permanent', 553]]);
  });

  it('reports a refused login as temporary, says so, and never shows the password', async () => {
    const login = { user: 'ann', password: 'p@ss/wörd%' };
    const server = await receiver({ login });
    expect(outcomes(await transport(server.url).deliver(mail))).to.deep.equal([['a@x.example', 'sent', 250]]);
    await transport(server.url).verify();

    const wrong = transport(server.url.replace(/:\/\/.*@/, '://ann:secret-and-wrong@'));
    const report = await wrong.deliver(mail);
    expect(outcomes(report)).to.deep.equal(temporary(535));
    expect(onlyResponse(report)).to.match(/^The mail server refused the login: 535 5\.7\.8/);

    // A server that echoes what it was sent.
    for (const method of ['PLAIN', 'LOGIN']) {
      const heard: string[] = [];
      const url = await scripted((line) => {
        heard.push(line);
        if (line.startsWith('EHLO')) return `250-hi\r\n250 AUTH ${method}`;
        return line === 'AUTH LOGIN' || heard.length === 3 ? '334 go on' : `535 no: ${line} for hush-hush`;
      });
      const client = transport(url);
      const response = onlyResponse(await client.deliver(mail));
      expect(response).to.contain('refused the login');
      const verified = await client.verify().then(
        () => 'usable',
        (error: unknown) =>
          error instanceof Error ? `${error.message} ${String(error.stack)} ${JSON.stringify(error)}` : '',
      );
      expect(verified).to.contain('refused the login');
      const told = heard.join('\n').match(/(?<=^AUTH PLAIN )\S+|^[\w+/]{8,}=*$/gm) ?? [];
      expect(told).not.to.deep.equal([]);
      for (const secret of [
        'hush-hush',
        Buffer.from('hush-hush').toString('base64'),
        Buffer.from('\0ann\0hush-hush').toString('base64'),
      ]) {
        expect(response).not.to.contain(secret);
        expect(verified).not.to.contain(secret);
      }
    }
  });

  it('shortens a server’s answer to one line of 500 characters', async () => {
    const url = await scripted({ RCPT: `550-first\r\n550 se\0cond \u001b[31m${'x'.repeat(2000)}` });
    const response = onlyResponse(await transport(url).deliver(mail));
    expect(response).to.match(/^550-first 550 se cond \[31mx+$/);
    expect(response).to.have.length(500);
  });

  it('finishes running deliveries when it is closed, fails waiting ones, and accepts no more', async () => {
    const server = await receiver();
    const client = transport(`${server.url}?maxConnections=1`, { closeMs: 5000 });
    await client.deliver(mail);
    const reached = new Promise<void>((resolve) => {
      server.onRecipient = () => {
        resolve();
        return null;
      };
    });
    const running = client.deliver(mail);
    const queued = client.deliver(mail);
    await reached;
    await client.close();
    expect(outcomes(await running)).to.deep.equal([['a@x.example', 'sent', 250]]);
    expect(outcomes(await queued)).to.deep.equal(temporary(null));
    expect(outcomes(await client.deliver(mail))).to.deep.equal(temporary(null));
  });

  it('aborts a stalled delivery when it is closed', async () => {
    const server = await receiver({ hang: true });
    const client = transport(server.url, { closeMs: 100 });
    const stalled = client.deliver(mail);
    await client.close();
    const report = await stalled;
    expect(outcomes(report)).to.deep.equal(temporary(null));
    expect(report.durationMs).to.be.lessThan(2000);
  });

  it('refuses URLs that name no mail server without repeating them', () => {
    for (const url of [
      '',
      'x',
      'http://u:hush@h',
      'smtp://',
      'smtp:u:hush@h',
      'smtp://u:hush@:25',
      'smtp://u:hush@h:99999',
    ]) {
      expect(() => smtpTransport(url), url)
        .to.throw('smtp://user:password@host:port')
        .with.property('message')
        .that.does.not.contain('hush');
    }
  });
});
