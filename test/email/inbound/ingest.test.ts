import { expect } from 'chai';
import { send } from '../support.js';
import { at } from '#test/support/json.js';
import { days, minutes } from '#test/support/clock.js';
import { parseJson } from '#core/runtime/json.js';
import { usePlatform } from '#test/support/platform.js';
import { openConnection, postHead } from '#test/support/raw-http.js';
import { ingest, inboundSecret, ownDomain, rawMail, receive } from './support.js';

const address = '/v1/inbound/ingest';

describe('Mail that a provider delivers', () => {
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });
  const code = (body: unknown): unknown => at(body, 'error', 'code');

  it('is linked to the message that it answers by the id that the provider gave that message', async () => {
    const account = await platform.account();
    const to = `help@${await ownDomain(account)}`;
    const { messageId } = await send(account.svc);
    await platform.settled();
    const sesId = '010f0193a0b1c2d3-0a1b2c3d-1111-2222-3333-444455556666-000000';
    // As the reply of Amazon SES to DATA is recorded: `250 Ok <id>`.
    await platform.running.services.database.run('UPDATE email_recipient SET provider_id = ? WHERE message_id = ?', [
      Buffer.from(sesId),
      Buffer.from(messageId.replaceAll('-', ''), 'hex'),
    ]);
    const raw = rawMail({ To: to, 'In-Reply-To': `<${sesId}@us-east-2.amazonses.com>` });
    await ingest(platform, raw, { to });
    const { inbound } = await account.svc.call('email.inbound.list', {});
    expect(inbound.map(({ inReplyTo }) => inReplyTo)).to.deep.equal([messageId]);
  });

  it('is stored for the environment of its envelope recipient, whatever its To header says', async () => {
    const account = await platform.account();
    const other = await platform.account();
    const to = `Help@${(await ownDomain(account)).toUpperCase()}`;
    const raw = rawMail({ To: `boss@${await ownDomain(other)}` });
    const { status, body } = await ingest(platform, raw, { to });
    expect([status, at(body, 'status')]).to.deep.equal([200, 'stored']);
    const { inbound } = await account.svc.call('email.inbound.list', {});
    expect(inbound).to.deep.equal([
      {
        inboundId: at(body, 'inboundId'),
        envelopeFrom: 'ada@example.com',
        envelopeTo: `Help@${await ownDomain(account)}`,
        from: 'ada@example.com',
        to: [`boss@${await ownDomain(other)}`],
        subject: 'Help',
        messageId: 'one@mail.example.com',
        inReplyTo: null,
        automatic: false,
        spam: { spf: 'none', dkim: 'none', dmarc: 'none' },
        bytes: Buffer.byteLength(raw),
        attachmentCount: 0,
        receivedAt: platform.clock.now().toISOString(),
      },
    ]);
    expect((await other.svc.call('email.inbound.list', {})).inbound).to.deep.equal([]);
    const events = await platform.events(account.live);
    const received = events.filter(({ type }) => type === 'email.inbound.received');
    expect(received.map(({ data, subjectId }) => [data, subjectId])).to.deep.equal([
      [{ inbound: inbound[0] }, at(body, 'inboundId')],
    ]);
  });

  it('for the test environment goes to test. before the project’s own domain', async () => {
    const account = await platform.account();
    await receive(platform, account, rawMail(), { to: `a@test.${await ownDomain(account)}` });
    expect((await account.svc.call('email.inbound.list', {})).inbound).to.have.length(0);
    expect((await account.svcTest.call('email.inbound.list', {})).inbound).to.have.length(1);
  });

  it('may be JSON, with the message as text or in base64', async () => {
    const account = await platform.account();
    const envelopeTo = `help@${await ownDomain(account)}`;
    const raws = [rawMail({ Subject: 'As text' }), Buffer.from(rawMail({ Subject: 'Base64' })).toString('base64')];
    for (const raw of raws) {
      const body = JSON.stringify({ envelopeTo, envelopeFrom: 'bob@example.com', raw });
      const headers = { 'Content-Type': 'application/json; charset=utf-8' };
      expect((await ingest(platform, body, { headers })).status).to.equal(200);
    }
    const { inbound } = await account.svc.call('email.inbound.list', {});
    expect(inbound.map(({ subject, envelopeFrom }) => [subject, envelopeFrom])).to.deep.equal([
      ['Base64', 'bob@example.com'],
      ['As text', 'bob@example.com'],
    ]);
  });

  it('is stored once, however often and at once the provider repeats it', async () => {
    const account = await platform.account();
    const ids = await Promise.all([1, 2, 3, 4].map(() => receive(platform, account)));
    expect(new Set(ids).size).to.equal(1);
    platform.clock.advance(days(4));
    expect(await receive(platform, account)).to.equal(ids[0]);
    expect((await account.svc.call('email.inbound.list', {})).inbound).to.have.length(1);
    expect(
      (await platform.events(account.live)).filter(({ type }) => type === 'email.inbound.received'),
    ).to.have.length(1);
    const to = `sales@${await ownDomain(account)}`;
    expect(await receive(platform, account, rawMail(), { to }), 'another recipient').not.to.equal(ids[0]);
  });

  it('without a Message-ID counts as another message after an hour', async () => {
    const account = await platform.account();
    const alarm = rawMail({ 'Message-ID': null, Date: null, Subject: 'Alarm' }, 'Fire');
    const first = await receive(platform, account, alarm);
    platform.clock.advance(minutes(59));
    expect(await receive(platform, account, alarm)).to.equal(first);
    platform.clock.advance(minutes(2));
    const second = await receive(platform, account, alarm);
    expect(second).not.to.equal(first);
    expect(await receive(platform, account, alarm)).to.equal(second);
    expect((await account.svc.call('email.inbound.list', {})).inbound).to.have.length(2);
  });

  it('is refused without the secret, or with a wrong one', async () => {
    const account = await platform.account();
    const to = `help@${await ownDomain(account)}`;
    for (const Authorization of ['', 'Bearer', `Bearer ${inboundSecret}x`, `Basic ${inboundSecret}`, inboundSecret]) {
      const { status, body } = await ingest(platform, rawMail(), { to, headers: { Authorization } });
      expect([status, code(body)], Authorization).to.deep.equal([403, 'callback_rejected']);
    }
    expect((await account.svc.call('email.inbound.list', {})).inbound).to.deep.equal([]);
  });

  it('is refused without the secret before its body has arrived', async () => {
    const connection = await openConnection(platform.running.address);
    const headers = { 'Content-Type': 'message/rfc822', 'Content-Length': 30_000_000, Authorization: 'Bearer wrong' };
    connection.write(postHead(address, headers));
    const { status, body } = await connection.answer();
    expect([status, code(parseJson(body))]).to.deep.equal([403, 'callback_rejected']);
    connection.socket.destroy();
  });

  it('is refused without a body, an envelope recipient or a sender', async () => {
    const to = `help@${await ownDomain(await platform.account())}`;
    const post = async (headers: Record<string, string>, body: string): Promise<unknown[]> => {
      const answer = await fetch(platform.running.address + address, {
        method: 'POST',
        headers: { Authorization: `Bearer ${inboundSecret}`, 'Content-Type': 'message/rfc822', ...headers },
        body,
      });
      return [answer.status, code(await answer.json())];
    };
    const json = { 'Content-Type': 'application/json' };
    expect(await post({ 'x-svc-envelope-to': to }, '')).to.deep.equal([400, 'inbound_empty']);
    expect(await post(json, JSON.stringify({ envelopeTo: to }))).to.deep.equal([400, 'inbound_empty']);
    expect(await post({}, rawMail())).to.deep.equal([400, 'inbound_no_recipient']);
    for (const bad of ['help', 'a@b', `${to}, ${to}`, 'Help <a@example.com>', '<>'])
      expect(await post({ 'x-svc-envelope-to': bad }, rawMail()), bad).to.deep.equal([400, 'inbound_no_recipient']);
    expect(await post(json, JSON.stringify({ raw: rawMail() }))).to.deep.equal([400, 'inbound_no_recipient']);
    expect(await post({ 'x-svc-envelope-to': to }, rawMail({ From: null }))).to.deep.equal([400, 'inbound_no_sender']);
    expect(await post(json, '{"raw"')).to.deep.equal([400, 'invalid_json']);
    expect(await post(json, JSON.stringify({ envelopeTo: 1, raw: 'x' }))).to.deep.equal([400, 'invalid_input']);
    expect(await post({ 'Content-Type': 'text/plain' }, rawMail())).to.deep.equal([415, 'unsupported_media_type']);
  });

  it('has the From header in place of an unknown envelope sender, and the other way round', async () => {
    const account = await platform.account();
    const envelopeTo = `help@${await ownDomain(account)}`;
    const headers = { 'Content-Type': 'application/json' };
    await ingest(platform, JSON.stringify({ envelopeTo, raw: rawMail({ Subject: 'a' }) }), { headers });
    await receive(platform, account, rawMail({ Subject: 'b', From: null }), { from: 'bounces@example.com' });
    const { inbound } = await account.svc.call('email.inbound.list', {});
    expect(inbound.map(({ subject, from, envelopeFrom }) => [subject, from, envelopeFrom])).to.deep.equal([
      ['b', 'bounces@example.com', 'bounces@example.com'],
      ['a', 'ada@example.com', 'ada@example.com'],
    ]);
  });

  it('to an address that nobody has is refused as dealt with', async () => {
    for (const to of ['help@example.com', 'help@nobody.mail.localhost', 'help@mail.localhost']) {
      const { status, body } = await ingest(platform, rawMail(), { to });
      expect([status, at(body, 'status'), at(body, 'reason')], to).to.deep.equal([200, 'refused', 'unknown_recipient']);
    }
  });

  it('takes 25 MiB and no more', async function () {
    this.timeout(60_000);
    const account = await platform.account();
    const limit = 25 * 1024 * 1024;
    const line = `${'A'.repeat(76)}\r\n`;
    const head = rawMail({ 'Content-Type': 'application/octet-stream', 'Content-Transfer-Encoding': 'base64' }, '');
    const raw = Buffer.alloc(limit, line);
    raw.write(head);
    const inboundId = await receive(platform, account, raw);
    const { attachments, inbound } = await account.svc.call('email.inbound.get', { inboundId });
    expect(inbound.bytes).to.equal(limit);
    expect(attachments[0]?.bytes).to.be.greaterThan(19_000_000);
    const to = `help@${await ownDomain(account)}`;
    const { status, body } = await ingest(platform, Buffer.concat([raw, Buffer.from('A')]), { to });
    expect([status, code(body)]).to.deep.equal([413, 'body_too_large']);
  });
});

describe('Mail that a provider delivers, where SVC_INBOUND_SECRET is not set', () => {
  const platform = usePlatform();

  it('is refused', async () => {
    const { status, body } = await ingest(platform, rawMail(), { to: 'help@example.com' });
    expect([status, at(body, 'error', 'code')]).to.deep.equal([403, 'callback_rejected']);
  });
});
