import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { messageTally } from '#plugins/audience/events/message-tally.js';
import { send, useMail } from '#test/email/support.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { hours } from '#test/support/clock.js';
import { contactOf } from './support.js';

describe('When each contact was last sent mail', () => {
  const mail = useMail();
  const { platform } = mail;
  afterEach(() => {
    mail.smtp.onMessage = () => null;
    mail.smtp.onRecipient = () => null;
  });

  /** The stored times, by the contacts' addresses. */
  async function lastSent({ id }: Environment): Promise<Record<string, string>> {
    await platform.settled();
    const rows = await platform.running.services.database.rows<{ email: string; last_sent_at: Date; channel: Buffer }>(
      `SELECT c.email, t.last_sent_at, t.channel FROM audience_message_tally t JOIN audience_contact c ON c.id = t.contact_id
       WHERE t.environment_id = UNHEX(?) AND c.environment_id = t.environment_id ORDER BY c.email`,
      [id.replaceAll('-', '')],
    );
    return Object.fromEntries(
      rows.map((row) => [`${row.channel.toString()} ${row.email}`, row.last_sent_at.toISOString()]),
    );
  }

  it('is stored for every recipient who is a contact, however the address is spelled', async () => {
    const { svc, live } = await platform.account();
    for (const name of ['to', 'cc', 'bcc', 'other']) await contactOf(svc, { email: `${name}@example.com` });
    const { messageId } = await send(svc, {
      to: ['To@Example.com', 'stranger@example.com'],
      cc: ['CC@example.com'],
      bcc: ['bcc@example.com'],
    });
    const last = await lastSent(live);
    const { message } = await svc.call('email.message.get', { messageId });
    expect(message.status).to.equal('sent');
    expect(last).to.deep.equal({
      'email bcc@example.com': message.sentAt,
      'email cc@example.com': message.sentAt,
      'email to@example.com': message.sentAt,
    });
  });

  it('advances with each message and never goes back', async () => {
    const { svc, live } = await platform.account();
    await contactOf(svc);
    await send(svc, { to: 'ada@example.com' });
    const first = platform.clock.now().toISOString();
    expect(await lastSent(live)).to.deep.equal({ 'email ada@example.com': first });
    platform.clock.advance(hours(1));
    await send(svc, { to: 'ada@example.com' });
    const second = platform.clock.now().toISOString();
    expect(await lastSent(live)).to.deep.equal({ 'email ada@example.com': second });
    // Consumes the first event again, as if it arrived late.
    await platform.running.services.database.run(
      `UPDATE svc_event SET pending = 1 WHERE type = 'email.sent' AND environment_id = UNHEX(?) ORDER BY id LIMIT 1`,
      [live.id.replaceAll('-', '')],
    );
    expect(await lastSent(live)).to.deep.equal({ 'email ada@example.com': second });
    expect(await platform.count('svc_event', "type = 'email.sent' AND pending = 1")).to.equal(0);
  });

  it('ignores messages that were not sent, and system messages', async () => {
    const { svc, live, test, svcTest } = await platform.account();
    for (const api of [svc, svcTest]) {
      await contactOf(api, { email: 'refused@example.com' });
      await contactOf(api, { email: 'invited@example.com' });
    }
    mail.smtp.onMessage = () => ({ code: 554, message: '5.7.1 no spam here' });
    await send(svc, { to: 'refused@example.com' });
    await platform.settled();
    mail.smtp.onMessage = () => null;
    await svc.call('account.member.invite', { email: 'invited@example.com', role: 'viewer' });
    expect(await lastSent(live)).to.deep.equal({});
    expect(await lastSent(test)).to.deep.equal({});
    expect(await platform.count('svc_event', "type = 'email.failed'")).to.be.above(0);
    expect(
      await platform.count(
        'svc_event',
        "type = 'email.sent' AND JSON_VALUE(data, '$.message.system') IN ('true', '1')",
      ),
    ).to.be.above(0);
  });

  it('ignores recipients whose server refused it', async () => {
    const { svc, live } = await platform.account();
    for (const name of ['ada', 'bob']) await contactOf(svc, { email: `${name}@example.com` });
    mail.smtp.onRecipient = (address) => (address === 'bob@example.com' ? { code: 550, message: '5.7.1 no' } : null);
    const { messageId } = await send(svc, { to: 'ada@example.com', cc: ['bob@example.com'] });
    const last = await lastSent(live);
    const { message } = await svc.call('email.message.get', { messageId });
    expect(last).to.deep.equal({ 'email ada@example.com': message.sentAt });
    const sent = (await platform.events(live)).find(({ type }) => type === 'email.sent');
    expect(sent?.data['failedRecipients']).to.deep.equal(['bob@example.com']);
  });

  it('does not change a contact with the same address in another environment', async () => {
    const { svc, svcTest, test, live } = await platform.account();
    await contactOf(svcTest);
    await send(svc, { to: 'ada@example.com' });
    expect(await lastSent(test)).to.deep.equal({});
    expect(await lastSent(live)).to.deep.equal({});
  });

  it('takes the latest message of a batch in any order', async () => {
    const { svc, live } = await platform.account();
    for (const name of ['a', 'b', 'c']) await contactOf(svc, { email: `${name}@example.com` });
    const sent: Record<string, string> = {};
    for (const pair of ['ab', 'bc', 'ca', 'ab']) {
      platform.clock.advance(hours(1));
      const to = pair.split('').map((name) => `${name}@example.com`);
      await send(svc, { to });
      await platform.settled();
      for (const address of to) sent[`email ${address}`] = platform.clock.now().toISOString();
    }
    expect(await lastSent(live)).to.deep.equal(sent);
    const { database } = platform.running.services;
    await database.transaction(async (db) => {
      await db.run('DELETE FROM audience_message_tally');
      await db.run("UPDATE svc_event SET pending = 1 WHERE type = 'email.sent'");
    });
    expect(await lastSent(live)).to.deep.equal(sent);
  });

  it('uses as many statements for five hundred messages as for one', async () => {
    const { live } = await platform.account();
    const statements = await platform.running.services.transaction('Test', async (context) => {
      const { db } = context;
      const statements = async (): Promise<number> => {
        const [row] = await db.rows<{ Value: string }>("SHOW SESSION STATUS LIKE 'Questions'");
        return Number(row?.Value);
      };
      const before = await statements();
      const events = Array.from({ length: 500 }, () => ({
        id: newId(),
        environmentId: live.id,
        type: 'email.sent',
        createdAt: new Date(),
        lane: 'transactional' as const,
        subject: { type: 'message', id: newId() },
        personId: null,
        activityId: null,
        data: undefined,
      }));
      await messageTally.handle(events, context);
      // Without the statement that reads the counter.
      return (await statements()) - before - 1;
    });
    expect(statements).to.equal(1);
  });
});
