import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { createVault } from '#core/runtime/secrets/vault.js';
import { deliverEach } from '#plugins/email/delivery/deliver.js';
import { smtpTransport } from '#plugins/email/delivery/smtp/transport.js';
import { readReturnPath, returnPath } from '#plugins/email/bounces/return-path.js';
import { minutes } from '#test/support/clock.js';
import { startSmtpReceiver } from '#test/support/smtp-receiver.js';
import { send, useMail } from '../support.js';

const vault = createVault(randomBytes(32));
const localPart = (address: string): string => address.slice(0, address.lastIndexOf('@'));

describe('return path', () => {
  it('names the message and the recipient, within the 64 octets of a local part', () => {
    for (const messageId of [newId(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
      for (const position of [0, 1, 149, 65_535]) {
        const address = returnPath(vault, { messageId, position }, 'bounce.example.com');
        expect(address).to.match(/^bounce\+[0-9a-v]+\.[0-9a-v]+@bounce\.example\.com$/);
        expect(localPart(address).length).to.be.at.most(64);
        expect(readReturnPath(vault, address)).to.deep.equal({ messageId, position });
      }
    }
  });

  it('is read in any case and at any domain, because mail servers change both', () => {
    const owner = { messageId: newId(), position: 3 };
    const address = returnPath(vault, owner, 'bounce.example.com');
    expect(readReturnPath(vault, address.toUpperCase())).to.deep.equal(owner);
    expect(readReturnPath(vault, `${localPart(address)}@other.example`)).to.deep.equal(owner);
  });

  it('cannot be made for another recipient, message or deployment', () => {
    const owner = { messageId: newId(), position: 0 };
    const address = returnPath(vault, owner, 'bounce.example.com');
    const other = returnPath(vault, { ...owner, position: 1 }, 'bounce.example.com');
    const [, mac] = localPart(address).split('.');
    const [id] = localPart(other).split('.');
    expect(readReturnPath(vault, `${id}.${mac}@bounce.example.com`)).to.equal(null);
    expect(readReturnPath(createVault(randomBytes(32)), address)).to.equal(null);
    for (let index = 7; index < localPart(address).length; index += 1) {
      const changed = address[index] === '0' ? '1' : '0';
      const forged = address.slice(0, index) + changed + address.slice(index + 1);
      expect(readReturnPath(vault, forged), forged).to.equal(null);
    }
  });

  it('is nothing that another address could be', () => {
    const addresses = ['', '@', 'bounce+@x.example', 'ada@example.com', 'bounce+abc.def@x.example', 'bounce+zzz.zzz@x'];
    const long = `bounce+${'v'.repeat(29)}.${'v'.repeat(16)}@x.example`;
    expect(
      [...addresses, long, `bounce+${'0'.repeat(100_000)}`].map((each) => readReturnPath(vault, each)),
    ).to.deep.equal([...addresses, long, ''].map(() => null));
  });
});

describe('mail with a return path', () => {
  const mail = useMail({ settings: { SVC_MAIL_RETURN_HOST: 'returns.example.net' } });
  const { platform } = mail;

  it('is submitted once per recipient, each with a return path of its own and the same message', async () => {
    const { svc } = await platform.account();
    const to = Array.from({ length: 9 }, (_, index) => `to${index}@example.com`);
    const { messageId } = await send(svc, { to, cc: ['copy@example.com'], bcc: ['hidden@example.com'] });
    await platform.settled();
    const arrived = mail.arrivalsOf(messageId);
    const everybody = [...to, 'copy@example.com', 'hidden@example.com'];
    expect(arrived.map(({ recipients }) => recipients).sort()).to.deep.equal(everybody.map((each) => [each]).sort());
    for (const { envelopeFrom, recipients } of arrived) {
      expect(envelopeFrom).to.match(/@returns\.example\.net$/);
      const position = everybody.indexOf(recipients[0] ?? '');
      expect(readReturnPath(platform.running.services.vault, envelopeFrom)).to.deep.equal({ messageId, position });
    }
    const [first, ...others] = arrived.map(({ raw }) => raw.toString('latin1'));
    expect(new Set(others)).to.deep.equal(new Set([first]));
    expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('sent');
  });

  it('keeps the return paths of those who are tried again', async () => {
    const { svc } = await platform.account();
    const asked: string[] = [];
    mail.smtp.onRecipient = (address) => {
      asked.push(address);
      return address === 'late@example.com' && asked.filter((each) => each === address).length === 1
        ? { code: 450, message: '4.2.0 come back later' }
        : null;
    };
    const { messageId } = await send(svc, { to: ['prompt@example.com', 'late@example.com'] });
    await platform.settled();
    platform.clock.advance(minutes(1));
    await platform.settled();
    mail.smtp.onRecipient = () => null;
    expect(asked.sort()).to.deep.equal(['late@example.com', 'late@example.com', 'prompt@example.com']);
    const positions = mail
      .arrivalsOf(messageId)
      .map(({ envelopeFrom }) => readReturnPath(platform.running.services.vault, envelopeFrom)?.position);
    expect(positions).to.deep.equal([0, 1]);
  });
});

describe('a message to many recipients, of which each has a transaction', () => {
  it('asks a server that hangs for a few of them only', async () => {
    const server = await startSmtpReceiver({ hang: true });
    const client = smtpTransport(server.url, { silenceMs: 100, greetingMs: 100, connections: 20 });
    try {
      const envelopes = Array.from({ length: 20 }, (_, index) => ({
        address: `to${index}@example.com`,
        envelopeFrom: `bounce+${index}@example.com`,
      }));
      const { recipients } = await deliverEach(client, envelopes, Buffer.from('Subject: Hello\r\n\r\nHi\r\n'));
      expect(recipients.map(({ address, outcome }) => [address, outcome])).to.deep.equal(
        envelopes.map(({ address }) => [address, 'temporary']),
      );
      expect(server.connections()).to.equal(4);
    } finally {
      await client.close();
      await server.close();
    }
  });
});

describe('mail without a host for bounces', () => {
  const mail = useMail();

  it('has the sender’s address as its return path, and goes to all recipients at once', async () => {
    const { svc } = await mail.platform.account();
    const { messageId, from } = await send(svc, { to: ['a@example.com', 'b@example.com'] });
    const { envelopeFrom, recipients } = await mail.mailOf(messageId);
    expect({ envelopeFrom, recipients }).to.deep.equal({
      envelopeFrom: from,
      recipients: ['a@example.com', 'b@example.com'],
    });
  });
});
