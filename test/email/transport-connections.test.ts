import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { DeliveryReport } from '#core/messaging/driver.js';
import { smtpTransport } from '#plugins/email/delivery/smtp/transport.js';
import type { MailTransport } from '#plugins/email/transport.js';
import { startScriptedSmtp, startSmtpReceiver } from '#test/support/smtp-receiver.js';

const mail = {
  envelopeFrom: 'bounce@acme.mail.localhost',
  recipients: ['a@x.example'],
  raw: Buffer.from('From: a@x.example\r\nSubject: hi\r\n\r\nbody\r\n'),
};

const outcomes = ({ recipients }: DeliveryReport) => recipients.map(({ outcome, code }) => [outcome, code]);

describe('SMTP transport: connections', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  const transport = (url: string): MailTransport => {
    const made = smtpTransport(`${url}?maxConnections=1`, { closeMs: 50 });
    closers.unshift(() => made.close());
    return made;
  };

  it('uses a connection for a hundred messages, then another one', async () => {
    const server = await startSmtpReceiver();
    closers.push(() => server.close());
    const client = transport(server.url);
    const reports = await Promise.all(Array.from({ length: 101 }, () => client.deliver(mail)));
    expect(reports.flatMap(outcomes).every(([outcome]) => outcome === 'sent')).to.equal(true);
    expect(server.connections()).to.equal(2);
  });

  it('sends over another connection what a connection did not take that the server had closed, and only that', async () => {
    const heard = new Map<Socket, string[]>();
    let cutAt = 'MAIL';
    const server = await startScriptedSmtp((line, socket) => {
      const lines = heard.get(socket) ?? [];
      heard.set(socket, [...lines, line]);
      if (lines.includes('.') && line.startsWith(cutAt)) socket.destroy();
      return undefined;
    });
    closers.push(() => server.close());
    const client = transport(`smtp://127.0.0.1:${server.port}`);
    for (let times = 0; times < 3; times += 1)
      expect(outcomes(await client.deliver(mail))).to.deep.equal([['sent', 250]]);
    expect(heard.size).to.equal(3);
    // It may have been taken: a repeat is for the queue to decide.
    cutAt = '.';
    expect(outcomes(await client.deliver(mail))).to.deep.equal([['temporary', null]]);
    expect(heard.size).to.equal(3);
  });
});
