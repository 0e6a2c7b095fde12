import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { DeliveryReport } from '#core/messaging/driver.js';
import { smtpTransport } from '#plugins/email/delivery/smtp/transport.js';
import type { EnvelopedMail, MailTransport } from '#plugins/email/transport.js';
import { startScriptedSmtp, startSmtpReceiver, type ScriptedReply } from '#test/support/smtp-receiver.js';

/** A server that accepts several commands together, with its reply to each line that it is not asked about. */
const pipelining =
  (reply: ScriptedReply): ScriptedReply =>
  (line, socket) =>
    line.startsWith('EHLO') ? '250-scripted\r\n250 PIPELINING' : reply(line, socket);

const mailTo = (address: string, text = 'body'): EnvelopedMail => ({
  envelopeFrom: 'bounce@acme.mail.localhost',
  recipients: [address],
  raw: `From: a@x.example\r\nSubject: hi\r\n\r\n${text}\r\n`,
});

/** What a run of mails has come to: each address with its outcome and code; null if the mail was withdrawn. */
type Answers = [
  address: string | undefined,
  outcome: readonly [string | undefined, number | null | undefined] | null,
][];

async function submitEach(
  client: MailTransport,
  mails: readonly EnvelopedMail[],
  isCurrent: () => boolean = () => true,
): Promise<Answers> {
  const answers: Answers = [];
  const waiting = [...mails];
  const answered = ({ recipients: [address] }: EnvelopedMail, report: DeliveryReport | null): void => {
    const [first] = report?.recipients ?? [];
    answers.push([address, report && [first?.outcome, first?.code]]);
  };
  // A run may end before its mails do.
  while (waiting.length > 0) await client.deliverEach?.({ next: () => waiting.shift(), isCurrent, answered });
  return answers;
}

const sent = (address: string): Answers[number] => [address, ['sent', 250]];

describe('SMTP transport: mails one after another', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  const transport = (url: string): MailTransport => {
    const made = smtpTransport(`${url}?maxConnections=1`, { closeMs: 50, aheadWithinMs: Infinity });
    closers.unshift(() => made.close());
    return made;
  };
  const scripted = async (reply: ScriptedReply): Promise<MailTransport> => {
    const server = await startScriptedSmtp(pipelining(reply));
    closers.push(() => server.close());
    return transport(`smtp://127.0.0.1:${server.port}`);
  };

  it('arrive in their order, unchanged, over as few connections as may carry them', async () => {
    const server = await startSmtpReceiver();
    closers.push(() => server.close());
    const texts = Array.from({ length: 101 }, (_, index) => `.line ${index}\r\n..\r\n.\r\nend`);
    const mails = texts.map((text, index) => mailTo(`c${index}@x.example`, text));
    expect(await submitEach(transport(server.url), mails)).to.deep.equal(
      mails.map(({ recipients: [address = ''] }) => sent(address)),
    );
    expect(server.received.map(({ recipients, raw }) => [recipients, raw.toString('latin1')])).to.deep.equal(
      mails.map(({ recipients, raw }) => [recipients, raw]),
    );
    expect(server.connections()).to.equal(2);
  });

  it('send the envelope of the next one together with a content', async () => {
    let contents = 0;
    let release = (): void => undefined;
    const client = await scripted((line, socket) => {
      if (line.includes('third')) release();
      if (line === '.') contents += 1;
      if (line !== '.' || contents !== 2) return undefined;
      // It is answered once the third envelope is there, which a client that waits for the answer never sends.
      release = () => socket.write('250 fine\r\n');
      return null;
    });
    const addresses = ['first@x.example', 'second@x.example', 'third@x.example', 'fourth@x.example'];
    const answers = await submitEach(
      client,
      addresses.map((address) => mailTo(address)),
    );
    expect(answers).to.deep.equal(addresses.map(sent));
  });

  it('each get their own answer, whatever the ones around it get', async () => {
    const heard: string[] = [];
    const contents = ['250 fine', '550 5.7.1 spam', '250 fine', '250 fine'];
    const client = await scripted((line) => {
      heard.push(line);
      if (line.startsWith('RCPT') && line.includes('gone')) return '550 5.1.1 no such user';
      if (line.startsWith('RCPT') && line.includes('full')) return '452 4.2.2 full';
      if (line === 'DATA' && /gone|full/.test(heard.at(-2) ?? '')) return '503 no recipients';
      return line === '.' ? contents.shift() : undefined;
    });
    const names = ['ann', 'gone', 'spam', 'full', 'bob', 'cy'];
    const answers = await submitEach(
      client,
      names.map((name) => mailTo(`${name}@x.example`)),
    );
    expect(answers).to.deep.equal([
      sent('ann@x.example'),
      ['gone@x.example', ['permanent', 550]],
      ['spam@x.example', ['permanent', 550]],
      ['full@x.example', ['temporary', 452]],
      sent('bob@x.example'),
      sent('cy@x.example'),
    ]);
  });

  it('send again over a new connection what was sent ahead of a connection’s end, and only that', async () => {
    const heard = new Map<Socket, string[]>();
    const client = await scripted((line, socket) => {
      const lines = [...(heard.get(socket) ?? []), line];
      heard.set(socket, lines);
      const contents = lines.filter((each) => each === '.').length;
      if (line === '.' && contents === 2) {
        socket.end('421 4.3.2 closing\r\n');
        return null;
      }
      return undefined;
    });
    const addresses = ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'];
    const answers = await submitEach(
      client,
      addresses.map((address) => mailTo(address)),
    );
    expect(answers.map(([address, outcome]) => [address, outcome?.[0], outcome?.[1]])).to.deep.equal([
      ['a@x.example', 'sent', 250],
      ['b@x.example', 'temporary', 421],
      ['c@x.example', 'sent', 250],
      ['d@x.example', 'temporary', 421],
    ]);
    const contentsOf = [...heard.values()].map((lines) => lines.filter((line) => line === '.').length);
    expect(contentsOf).to.deep.equal([2, 2]);
  });

  it('are withdrawn if they are no longer current when the server asks for the content', async () => {
    const contents: string[] = [];
    let isStale = false;
    const client = await scripted((line) => {
      if (line === '.') contents.push(line);
      if (line.includes('b@x.example')) isStale = true;
      return undefined;
    });
    const addresses = ['a@x.example', 'b@x.example', 'c@x.example'];
    const answers = await submitEach(
      client,
      addresses.map((address) => mailTo(address)),
      () => {
        const isCurrent = !isStale;
        isStale = false;
        return isCurrent;
      },
    );
    expect(answers).to.deep.equal([sent('a@x.example'), ['b@x.example', null], sent('c@x.example')]);
    expect(contents).to.have.length(2);
  });

  it('are withdrawn if they are no longer current once the connection is open, which carries the others', async () => {
    const server = await startSmtpReceiver();
    closers.push(() => server.close());
    let asked = 0;
    const addresses = ['a@x.example', 'b@x.example', 'c@x.example'];
    const answers = await submitEach(
      transport(server.url),
      addresses.map((address) => mailTo(address)),
      () => ++asked !== 1,
    );
    expect(answers).to.deep.equal([['a@x.example', null], sent('b@x.example'), sent('c@x.example')]);
    expect(server.received.map(({ recipients }) => recipients)).to.deep.equal([['b@x.example'], ['c@x.example']]);
    expect(server.connections()).to.equal(1);
  });

  it('each fail for a connection that cannot be opened', async () => {
    const server = await startSmtpReceiver();
    await server.close();
    const addresses = ['a@x.example', 'b@x.example'];
    const answers = await submitEach(
      transport(server.url),
      addresses.map((address) => mailTo(address)),
      () => false,
    );
    expect(answers).to.deep.equal(addresses.map((address) => [address, ['temporary', null]]));
  });

  it('are left out one by one if the server does not take so many octets', async () => {
    const server = await startSmtpReceiver({ size: 1_000 });
    closers.push(() => server.close());
    const large = 'x'.repeat(2_000);
    const mails = [
      mailTo('a@x.example'),
      mailTo('b@x.example', large),
      mailTo('c@x.example'),
      mailTo('d@x.example', large),
    ];
    const answers = await submitEach(transport(server.url), mails);
    expect(answers).to.deep.equal([
      sent('a@x.example'),
      ['b@x.example', ['permanent', null]],
      sent('c@x.example'),
      ['d@x.example', ['permanent', null]],
    ]);
    expect(server.connections()).to.equal(1);
  });

  it('are submitted one by one to a server that accepts one command at a time', async () => {
    const heard: string[] = [];
    const server = await startScriptedSmtp((line) => {
      heard.push(line);
      return undefined;
    });
    closers.push(() => server.close());
    const addresses = ['a@x.example', 'b@x.example'];
    const answers = await submitEach(
      transport(`smtp://127.0.0.1:${server.port}`),
      addresses.map((address) => mailTo(address)),
    );
    expect(answers).to.deep.equal(addresses.map(sent));
    expect(heard.filter((line) => line === '.')).to.have.length(2);
  });

  it('end when the transport closes: the rest is not taken', async () => {
    const server = await startSmtpReceiver();
    closers.push(() => server.close());
    const client = transport(server.url);
    const answers: unknown[] = [];
    let taken = 0;
    await client.deliverEach?.({
      next() {
        taken += 1;
        if (taken === 2) void client.close();
        return mailTo(`c${taken}@x.example`);
      },
      answered: (_, report) => answers.push(report?.recipients[0]?.outcome),
    });
    expect(answers).to.have.length(taken);
    expect(taken).to.be.lessThan(4);
  });
});
