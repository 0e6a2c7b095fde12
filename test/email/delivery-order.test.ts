import type { Socket } from 'node:net';
import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { startScriptedSmtp } from '#test/support/smtp-receiver.js';
import { send, sqlId, useMail } from './support.js';

describe('email delivery: fairness', () => {
  const mail = useMail();
  const { platform } = mail;

  it('delivers the messages of one environment at once while another has 3,000 waiting', async () => {
    const [crowd, single] = [await platform.account(), await platform.account()];
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const { messageId } = await send(crowd.svc, { sendAfter, to: 'crowd@example.com' });
    await multiply(messageId, 2_999);
    expect(await platform.count('email_queue', `partition_id = ${sqlId(crowd.live.id)}`)).to.equal(3_000);
    const ofCrowd = createGate();
    ofCrowd.close();
    mail.smtp.onMessage = async ({ recipients }) => {
      if (recipients.includes('crowd@example.com')) await ofCrowd.pass();
      return null;
    };
    const arrives = (address: string): Promise<unknown> =>
      mail.smtp.waitFor((all) => all.some(({ recipients }) => recipients.includes(address)), 20_000);
    platform.clock.advance(hours(1));
    await ofCrowd.reached(12);
    await send(single.svc, { to: 'first@example.com' });
    await arrives('first@example.com');
    expect(mail.smtp.received, 'none of the others was answered yet').to.have.length(1);
    ofCrowd.open();
    await mail.smtp.waitFor(20, 20_000);
    const sent = await send(single.svc, { to: 'second@example.com' });
    await arrives('second@example.com');
    expect(mail.smtp.received.length, 'most of the others are still queued').to.be.lessThan(2_500);
    expect((await single.svc.call('email.message.get', { messageId: sent.messageId })).message.messageId).to.equal(
      sent.messageId,
    );
    await crowd.svc.call('account.close', { reason: 'The rest need not be sent.' });
  });

  it('is shared by two nodes: every message arrives, and arrives once', async () => {
    await platform.secondNode();
    const { svc, live } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const sent = await Promise.all(Array.from({ length: 150 }, () => send(svc, { sendAfter })));
    platform.clock.advance(hours(1));
    const waiting = `partition_id = ${sqlId(live.id)}`;
    await eventually(async () => (await platform.count('email_queue', waiting)) === 0, 'an empty queue', 30_000);
    expect(sent.map(({ messageId }) => mail.arrivalsOf(messageId).length)).to.deep.equal(sent.map(() => 1));
  });

  /** Copies of a queued message that share its content. */
  async function multiply(messageId: string, count: number): Promise<void> {
    const { database } = platform.running.services;
    const digit = Array.from({ length: 10 }, (_, each) => `SELECT ${each} AS n`).join(' UNION ALL ');
    const places = [1, 10, 100, 1_000].map((place) => `(SELECT n * ${place} AS n FROM (${digit}) AS d) AS p${place}`);
    const numbers = `(SELECT p1.n + p10.n + p100.n + p1000.n AS i FROM ${places.join(', ')}) AS numbers`;
    const copyId = `UNHEX(LEFT(SHA2(CONCAT('copy', numbers.i), 256), 32))`;
    for (const [table, key] of [
      ['email_message', 'id'],
      ['email_recipient', 'message_id'],
      ['email_queue', 'id'],
    ] as const) {
      const columns = (
        await database.rows<{ name: string }>(
          'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position',
          [table],
        )
      ).map(({ name }) => name);
      const values = columns.map((name) => (name === key ? copyId : `original.${name}`));
      await database.run(
        `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table} AS original JOIN ${numbers} WHERE original.${key} = ${sqlId(messageId)} AND i < ${count}`,
      );
    }
  }
});

describe('email delivery: a server that stalls', () => {
  /** Every line sent to the server, and the connections that wait for its answer. */
  const said: string[] = [];
  let owed: Socket[] = [];
  const parts: { server?: Awaited<ReturnType<typeof startScriptedSmtp>> } = {};
  const platform = usePlatform({
    async settings() {
      parts.server = await startScriptedSmtp((line, socket) => {
        said.push(line);
        if (!line.startsWith('RCPT TO:<slow')) return undefined;
        owed.push(socket);
        return null;
      });
      return { SVC_SMTP_URL: `smtp://127.0.0.1:${parts.server.port}` };
    },
  });
  // Cuts hanging connections before the platform waits for them.
  after(() => parts.server?.close());
  const saidTo = (address: string): number => said.filter((line) => line.startsWith(`RCPT TO:<${address}>`)).length;
  const release = (): void => {
    owed.forEach((socket) => socket.write('250 at last\r\n'));
    owed = [];
  };

  it('delays neither other messages nor, while its messages fill its share of a lane, the mail of other lanes', async () => {
    const { svc } = await platform.account();
    const slow = [await send(svc, { to: 'slow0@example.com' })];
    await eventually(() => owed.length === 1, 'the first stalls');
    await send(svc, { to: 'quick@example.com' });
    await eventually(() => saidTo('quick@example.com') === 1, 'the next message passes it');
    for (let n = 1; n < 20; n += 1) slow.push(await send(svc, { to: `slow${n}@example.com` }));
    await eventually(() => owed.length >= 8, 'the lane is full');
    await svc.call('account.member.invite', { email: 'guest@example.com' });
    await eventually(() => saidTo('guest@example.com') === 1, 'the invitation passes them all');
    expect(owed.length, 'while they stall').to.be.lessThan(20);
    while (said.filter((line) => line.startsWith('RCPT TO:<slow')).length < 20) {
      await eventually(() => owed.length > 0, 'another one stalls');
      release();
    }
    release();
    await platform.settled();
    const statuses = await Promise.all(slow.map(({ messageId }) => svc.call('email.message.get', { messageId })));
    expect(statuses.map(({ message }) => message.status)).to.deep.equal(slow.map(() => 'sent'));
  });

  it('leaves slots to other environments when all messages of one stall', async () => {
    const [slow, quick] = [await platform.account(), await platform.account()];
    for (let n = 0; n < 40; n += 1) await send(slow.svc, { to: `slow-tenant${n}@example.com` });
    await eventually(() => owed.length === 12, 'the environment has all the slots that it may have');
    await send(quick.svc, { to: 'quick-tenant@example.com' });
    await eventually(
      () => saidTo('quick-tenant@example.com') === 1,
      'another environment’s message is sent at once',
      3_000,
    );
    expect(owed, 'all of them still stall').to.have.length(12);
    await slow.svc.call('account.close', { reason: 'The rest need not be sent.' });
    release();
    await platform.settled();
  });

  it('gives the slots of stalled messages to other environments after some seconds', async () => {
    const [first, second, third] = [await platform.account(), await platform.account(), await platform.account()];
    for (let n = 0; n < 15; n += 1) {
      await send(first.svc, { to: `slow-first${n}@example.com` });
      await send(second.svc, { to: `slow-second${n}@example.com` });
    }
    await eventually(() => owed.length === 24, 'the lane is full');
    await send(third.svc, { to: 'quick-third@example.com' });
    await eventually(() => saidTo('quick-third@example.com') === 1, 'its slot comes free');
    expect(owed, 'no more of the others were begun').to.have.length(24);
    for (const { svc } of [first, second]) await svc.call('account.close', { reason: 'The rest need not be sent.' });
    release();
    await platform.settled();
  });

  it('records one outcome when a worker comes back after its lease was given to another', async () => {
    const account = await platform.account();
    const { messageId } = await send(account.svc, { to: 'slow-lease@example.com' });
    await eventually(() => owed.length === 1, 'the first delivery attempt stalls');
    expect((await account.svc.call('email.message.get', { messageId })).message.status).to.equal('sending');
    for (const [status, count] of [
      ['sending', 1],
      ['queued', 0],
    ] as const)
      expect((await account.svc.call('email.message.list', { status })).messages, status).to.have.length(count);
    // As releaseExpired does when a process says nothing for 30 s; its own would renew the lease.
    await platform.running.services.database.run(
      `UPDATE email_queue SET leased = 0, lease_token = NULL WHERE id = ${sqlId(messageId)}`,
    );
    await eventually(() => owed.length === 2, 'the second one begins');
    release();
    await platform.settled();
    const { message, attempts } = await account.svc.call('email.message.get', { messageId });
    expect([message.status, attempts.length]).to.deep.equal(['sent', 1]);
    const events = (await platform.events(account.live)).filter(({ subjectId }) => subjectId === messageId);
    expect(events.map(({ type }) => type)).to.deep.equal(['email.queued', 'email.sent']);
  });
});
