import { expect } from 'chai';
import { housekeeping } from '#core/platform/housekeeping.js';
import plugin from '#plugins/email/index.js';
import { days, minutes } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { publish, publisher, reached, sendBroadcast, subscribe } from '../broadcast/support.js';
import { send, useMail, type MailTest } from '../support.js';

const file = { filename: 'a.txt', contentType: 'text/plain', content: 'YWJj' };
const tables = [
  'email_message',
  'email_recipient',
  'email_attempt',
  'email_tag',
  'email_content',
  'email_attachment',
  'email_attachment_part',
];

/** Runs the hourly jobs once that delete events and messages. */
async function forget({ platform }: Pick<MailTest, 'platform'>, names = ['svc.forget-events']): Promise<void> {
  const { services } = platform.running;
  for (const job of [...housekeeping(services), ...plugin.jobs(services)])
    if ([...names, 'email.forget-messages'].includes(job.name)) await job.run();
}

describe('Retention of mails', () => {
  const mail = useMail({ settings: { SVC_EVENT_RETENTION_DAYS: '7', SVC_MESSAGE_RETENTION_DAYS: '7' } });
  const { platform } = mail;
  const idsOf = (rows: readonly { messageId: string }[]): string[] => rows.map(({ messageId }) => messageId);

  it('deletes those that ended before the retention time, with what belongs to them, and says so', async () => {
    const { svc } = await platform.account();
    const input = { subject: 'Hello', text: 'Hi', tags: { order: '7' }, attachments: [file] };
    const old = [];
    for (let count = 0; count < 12; count += 1) old.push(await send(svc, input));
    await platform.settled();
    const now = platform.clock.now().getTime();
    const [since = '', until = ''] = [now, now + days(1)].map((at) => new Date(at).toISOString().slice(0, 10));
    const stats = await svc.call('email.stats.get', { since, until });
    expect(stats.total.sent).to.equal(12);
    platform.clock.advance(days(7));
    const recent = await send(svc, input);
    await platform.settled();
    await forget(mail);
    expect(await platform.count('email_message')).to.equal(13);
    platform.clock.advance(minutes(1));
    await forget(mail);
    for (const table of tables) expect(await platform.count(table), table).to.equal(1);
    const { messages, keptSince } = await svc.call('email.message.list', {});
    expect(idsOf(messages)).to.deep.equal([recent.messageId]);
    expect(idsOf((await svc.call('email.message.list', { tag: 'order=7' })).messages)).to.deep.equal([
      recent.messageId,
    ]);
    expect(keptSince).to.equal(new Date(platform.clock.now().getTime() - days(7)).toISOString());
    expect(await svc.call('email.stats.get', { since, until })).to.deep.equal(stats);
    // An id that was never one gets the same answer, so that nobody learns of others' messages.
    const ids = [old[0]?.messageId, '01890a5d-ac96-774b-bcce-b302099a9401'];
    for (const [name, messageId] of ['email.message.get', 'email.message.cancel'].flatMap((each) =>
      ids.map((id) => [each, id] as const),
    )) {
      const refused = await svc.refusal(name, { messageId });
      expect(refused).to.include({ code: 'not_found' });
      expect(refused.fix).to.equal(
        'Check the id or name that you sent; messages that finished more than 7 days ago are deleted (SVC_MESSAGE_RETENTION_DAYS), and email.message.list shows what exists.',
      );
    }
  });

  it('keeps what waits, and counts from the end', async () => {
    const { svc, live } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + days(20)).toISOString();
    const { messageId } = await send(svc, { text: 'Hi', sendAfter });
    platform.clock.advance(days(10));
    await forget(mail);
    const show = async () => (await svc.call('email.message.get', { messageId })).message;
    expect(await show()).to.include({ status: 'queued' });
    platform.clock.advance(days(10));
    await platform.settled();
    await forget(mail);
    expect(await show()).to.include({ status: 'sent' });
    platform.clock.advance(days(8));
    // An erasure finds events by their message.
    await forget(mail, []);
    expect(await show()).to.include({ status: 'sent' });
    await forget(mail);
    expect((await svc.refusal('email.message.get', { messageId })).code).to.equal('not_found');
    expect(await platform.events(live)).to.deep.equal([]);
  });

  itNeeding('audience')('keeps the messages of a broadcast until it is complete, and its counts for good', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@one.example', 'bob@one.example']);
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'sent');
    const { database } = platform.running.services;
    await database.run("UPDATE email_broadcast SET completed_at = NULL, status = 'held'");
    platform.clock.advance(days(8));
    await forget(mail);
    const listed = async () => (await sender.svc.call('email.message.list', { broadcastId })).messages.length;
    expect(await listed()).to.equal(2);
    await database.run("UPDATE email_broadcast SET completed_at = updated_at, status = 'sent'");
    await forget(mail);
    expect(await listed()).to.equal(0);
    const { broadcast } = await sender.svc.call('email.broadcast.get', { broadcastId });
    expect(broadcast.counts).to.include({ recipients: 2, sent: 2 });
  });

  it('looks at each message once, however many are kept', async () => {
    const { svc } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + days(20)).toISOString();
    const { messageId } = await send(svc, { text: 'Hi', sendAfter });
    const { database } = platform.running.services;
    const columns = (
      await database.rows<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns
         WHERE table_schema = DATABASE() AND table_name = 'email_message' AND column_name NOT IN ('id')`,
      )
    ).map(({ name }) => name);
    await database.run(
      `INSERT INTO email_message (id, ${columns.join(', ')})
       SELECT UNHEX(CONCAT(LEFT(HEX(m.id), 12), '7', LEFT(SHA2(n.n, 256), 19))), ${columns.map((name) => `m.${name}`).join(', ')}
       FROM email_message m JOIN (SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n AS n
         FROM ${Array.from(
           'abcd',
           (name) => `(SELECT 0 AS n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5
           UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) ${name}`,
         ).join(' JOIN ')}) n WHERE n.n < 2000 AND m.id = ?`,
      [Buffer.from(messageId.replaceAll('-', ''), 'hex')],
    );
    platform.clock.advance(days(10));
    const reads = async (): Promise<number> =>
      (await database.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Handler_read%'")).reduce(
        (sum, { Value }) => sum + Number(Value),
        0,
      );
    const before = await reads();
    await forget(mail, []);
    expect((await reads()) - before).to.be.lessThan(10_000);
    expect(await platform.count('email_message', 'ended_at IS NULL')).to.equal(2_001);
    await database.run('DELETE FROM email_message WHERE ended_at IS NULL');
  });
});

describe('Without SVC_MESSAGE_RETENTION_DAYS', () => {
  const mail = useMail();
  const { platform } = mail;

  it('mails are kept', async () => {
    const { svc } = await platform.account();
    const { messageId } = await send(svc, { text: 'Hi' });
    await platform.settled();
    platform.clock.advance(days(5_000));
    await forget(mail);
    expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('sent');
    expect((await svc.call('email.message.list', {})).keptSince).to.equal(null);
    const refused = await svc.refusal('email.message.get', { messageId: '01890a5d-ac96-774b-bcce-b302099a9401' });
    expect(refused.fix).to.equal('Check the id or name that you sent; email.message.list shows what exists.');
  });
});
