import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { relayTracking } from '#plugins/email/delivery/own-headers.js';
import { smtpTransport } from '#plugins/email/delivery/smtp/transport.js';
import { startScriptedSmtp } from '#test/support/smtp-receiver.js';
import { send, useMail } from '../support.js';
import { basic, post, secret } from './support.js';

describe('the id that a relay gives a message', () => {
  it('is read from its reply', async () => {
    const uuid = '0a129aee-e1cd-480d-b08d-4f48548ff48d';
    const cases: [reply: string, id: string | null][] = [
      ['250 2.0.0 Ok: queued as 4F3A2B1C', '4F3A2B1C'],
      ['250 Ok: queued as LRzXl_NHStOGhQ4kofSm_A', 'LRzXl_NHStOGhQ4kofSm_A'],
      ['250 2.0.0 OK: queued as <202010090000.123@smtp-relay.mailin.fr>', '202010090000.123@smtp-relay.mailin.fr'],
      ['250 OK id=1rK2bC-0004Xy-9z', '1rK2bC-0004Xy-9z'],
      [
        '250 Ok 010201902f3a4b5c-11111111-2222-3333-4444-555555555555-000000',
        '010201902f3a4b5c-11111111-2222-3333-4444-555555555555-000000',
      ],
      [`250 OK ${uuid}`, uuid],
      ['250 OK: message queued', null],
      ['250 Great success', null],
      ['250 ok', null],
    ];
    const found: typeof cases = [];
    for (const [reply] of cases) {
      const server = await startScriptedSmtp({ '.': reply });
      const client = smtpTransport(`smtp://127.0.0.1:${server.port}`);
      const raw = Buffer.from('Subject: Hello\r\n\r\nHi\r\n');
      const { recipients } = await client.deliver({
        envelopeFrom: 'a@example.com',
        recipients: ['b@example.com'],
        raw,
      });
      found.push([reply, recipients[0]?.providerId ?? null]);
      await client.close();
      await server.close();
    }
    expect(found).to.deep.equal(cases);
  });

  it('is repeated as ours by relays that replace the Message-ID', () => {
    const id = newId();
    const cases: [url: string | undefined, headers: object][] = [
      ['smtp://token:token@smtp.postmarkapp.com:587', { 'X-PM-Metadata-svc-message-id': id }],
      ['smtps://user:pass@smtp-relay.brevo.com:465', { 'X-Mailin-custom': id }],
      ['smtp://smtp.notpostmarkapp.com', {}],
      ['smtp://smtp.mailgun.org:587', {}],
      [undefined, {}],
    ];
    expect(cases.map(([url]) => [url, relayTracking(url)(id)])).to.deep.equal(cases);
  });
});

describe('a message that only the relay’s id names', () => {
  const relay: { port: number; close: () => Promise<void> } = { port: 0, close: () => Promise.resolve() };
  const relayId = '8f1c2d3e-0000-4111-8222-333344445555';
  const mail = useMail({
    settings: { SVC_MAIL_CALLBACK_SECRET: secret },
    through: async () => {
      Object.assign(relay, await startScriptedSmtp({ '.': `250 OK ${relayId}` }));
      return relay.port;
    },
  });
  after(() => relay.close());

  it('is found by it', async () => {
    const { svc } = await mail.platform.account();
    const { messageId } = await send(svc, { to: ['ada@example.com', 'bob@example.com'] });
    await mail.platform.settled();
    const bounce = { RecordType: 'Bounce', Type: 'HardBounce', MessageID: relayId, Details: 'smtp;550 5.1.1 unknown' };
    expect((await post(mail.platform, { ...bounce, Email: 'bob@example.com' }, basic())).counts).to.include({
      recorded: 1,
    });
    expect((await post(mail.platform, { ...bounce, Email: 'eve@example.com' }, basic())).counts).to.include({
      recorded: 0,
      ignored: 1,
    });
    const { recipients } = await svc.call('email.message.get', { messageId });
    expect(recipients.map(({ email, status }) => [email, status])).to.deep.equal([
      ['ada@example.com', 'sent'],
      ['bob@example.com', 'bounced'],
    ]);
  });
});
