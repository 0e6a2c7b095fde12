import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { paged } from '#core/kernel/schema/paging.js';
import { filterMessages } from '#core/messaging/list.js';
import { firstIdAt, idText, newId } from '#core/runtime/id.js';
import { emailDriver } from '#plugins/email/messages/driver.js';
import { messages } from '#plugins/email/tables/message.js';
import { handlerReads } from '#test/support/handler-reads.js';
import type { Api, InputOf } from '#test/support/api.js';
import { minutes } from '#test/support/clock.js';
import { expectedFields, refusedFields, send, useMail, type RefusedCases } from '../support.js';

type Filter = InputOf<'email.message.list'>;

describe('email.message.list', () => {
  const mail = useMail();
  const { platform } = mail;

  const ids = async (svc: Api, filter: Filter = {}): Promise<string[]> =>
    (await svc.call('email.message.list', filter)).messages.map(({ messageId }) => messageId);

  it('lists the environment’s messages, newest first, as email.message.get shows them', async () => {
    const { svc, svcTest } = await platform.account();
    const other = await platform.account();
    const [first, second] = [await send(svc), await send(svc, { bcc: ['b@example.com'], tags: { a: 'b' } })];
    await send(svcTest);
    await send(other.svc);
    await platform.settled();
    const { messages, nextBefore } = await svc.call('email.message.list', {});
    expect(nextBefore).to.equal(null);
    expect(messages.map(({ messageId }) => messageId)).to.deep.equal([second.messageId, first.messageId]);
    const shown = await svc.call('email.message.get', { messageId: second.messageId });
    expect(messages[0]).to.deep.equal(shown.message);
  });

  it('says what the mail server answered to messages that failed or are tried again', async () => {
    const { svc } = await platform.account();
    mail.smtp.onRecipient = (address) =>
      address.startsWith('later')
        ? { code: 450, message: '4.2.1 greylisted' }
        : address.startsWith('never')
          ? { code: 550, message: '5.1.1 no such user' }
          : null;
    const failed = await send(svc, { to: ['never@example.com'] });
    const repeated = await send(svc, { to: ['later@example.com'] });
    await send(svc, { to: ['now@example.com'] });
    await platform.settled();
    mail.smtp.onRecipient = () => null;
    const { refused } = await svc.call('email.message.list', {});
    expect(refused).to.deep.equal({
      [failed.messageId]: '550 5.1.1 no such user',
      [repeated.messageId]: '450 4.2.1 greylisted',
    });
  });

  it('finds messages by status', async () => {
    const { svc, svcTest } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + minutes(60)).toISOString();
    const sent = await send(svc);
    const queued = await send(svc, { sendAfter });
    const cancelled = await send(svc, { sendAfter });
    await svc.call('email.message.cancel', { messageId: cancelled.messageId });
    await platform.settled();
    mail.smtp.onRecipient = () => ({ code: 550, message: 'no such user' });
    const failed = await send(svc, { to: 'nobody@example.com' });
    await platform.settled();
    mail.smtp.onRecipient = () => null;
    const suppressed = await send(svcTest, { to: 'stranger@example.com' });
    const found = { sent, queued, cancelled, failed };
    for (const [status, { messageId }] of Object.entries(found)) {
      expect((await svc.call('email.message.get', { messageId })).message.status).to.equal(status);
    }
    expect(await ids(svc, { status: 'sent' })).to.deep.equal([sent.messageId]);
    expect(await ids(svc, { status: 'queued' })).to.deep.equal([queued.messageId]);
    expect(await ids(svc, { status: 'cancelled' })).to.deep.equal([cancelled.messageId]);
    expect(await ids(svc, { status: 'failed' })).to.deep.equal([failed.messageId]);
    expect(await ids(svc, { status: 'held' })).to.deep.equal([]);
    expect(await ids(svcTest, { status: 'suppressed' })).to.deep.equal([suppressed.messageId]);
  });

  it('shows what a closed account holds as held, in the list, alone and when it is cancelled', async () => {
    const { svc, svcTest, live } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + minutes(60)).toISOString();
    const sent = await send(svc);
    await platform.settled();
    const [held, other] = [await send(svc, { sendAfter }), await send(svc, { sendAfter })];
    await svc.call('account.close', { reason: 'Moved.' });
    const closedAt = platform.clock.now().toISOString();
    platform.clock.advance(minutes(90));
    await platform.settled();
    expect(await ids(svc, { status: 'held' })).to.deep.equal([other.messageId, held.messageId]);
    expect(await ids(svc, { status: 'queued' })).to.deep.equal([]);
    expect(await ids(svc, { status: 'sent' })).to.deep.equal([sent.messageId]);
    expect(await ids(svcTest, { status: 'held' })).to.deep.equal([]);
    const all = (await svc.call('email.message.list', {})).messages;
    expect(all.map(({ status }) => status)).to.deep.equal(['held', 'held', 'sent']);
    const { message, timeline } = await svc.call('email.message.get', { messageId: held.messageId });
    expect(message).to.deep.equal(all[1]);
    expect(timeline.at(-1)).to.deep.equal({ at: closedAt, status: 'held' });

    const { activityId, result } = await svc.envelope('email.message.cancel', { messageId: other.messageId });
    expect(result.message.status).to.equal('cancelled');
    const { activity } = await svc.call('account.activity.get', { activityId });
    expect(activity.changes).to.deep.equal([{ field: 'status', from: 'held', to: 'cancelled' }]);
    const events = await platform.events(live);
    expect(events.find(({ type }) => type === 'email.cancelled')?.data).to.deep.equal({ message: result.message });

    await svc.call('account.reopen', {});
    await mail.mailOf(held.messageId);
    await platform.settled();
    expect(await ids(svc, { status: 'sent' })).to.deep.equal([held.messageId, sent.messageId]);
    const last = (await platform.events(live)).find(
      ({ type, subjectId }) => type === 'email.sent' && subjectId === held.messageId,
    );
    const again = await svc.call('email.message.get', { messageId: held.messageId });
    expect(last?.data).to.deep.equal({ message: again.message, failedRecipients: [] });
  });

  it('finds messages by recipient, tag and time, and by all of them together', async () => {
    const { svc } = await platform.account();
    const other = await platform.account();
    await send(other.svc, { to: 'eve@example.com', tags: { order: '1' } });
    const since = platform.clock.now().toISOString();
    const a = (await send(svc, { to: 'eve@example.com', tags: { order: '1', kind: 'x' } })).messageId;
    platform.clock.advance(minutes(1));
    const until = platform.clock.now().toISOString();
    const b = (await send(svc, { cc: ['Eve@EXAMPLE.com'], tags: { order: '2' } })).messageId;
    const c = (await send(svc, { bcc: ['eve@example.com'], tags: { order: '1' } })).messageId;
    expect(await ids(svc, { to: 'eve@Example.com' })).to.deep.equal([c, b, a]);
    expect(await ids(svc, { to: 'ada@example.com' })).to.deep.equal([c, b]);
    expect(await ids(svc, { to: 'nobody@example.com' })).to.deep.equal([]);
    expect(await ids(svc, { tag: 'order=1' })).to.deep.equal([c, a]);
    expect(await ids(svc, { tag: 'order=1x' })).to.deep.equal([]);
    expect(await ids(svc, { tag: 'Order=1' })).to.deep.equal([]);
    expect(await ids(svc, { since })).to.deep.equal([c, b, a]);
    expect(await ids(svc, { until }), 'until is not included').to.deep.equal([a]);
    expect(await ids(svc, { since: until }), 'since is').to.deep.equal([c, b]);
    expect(await ids(svc, { since: '1000-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' })).to.deep.equal([c, b, a]);
    const always = { since: '0000-01-01T00:00:00+12:00', until: '9999-12-31T23:59:59-12:00' };
    expect(await ids(svc, always)).to.deep.equal([c, b, a]);
    expect(await ids(svc, { until: '1000-01-01T00:00:00Z' })).to.deep.equal([]);
    expect(await ids(svc, { since: until, tag: 'order=1', to: 'eve@example.com', status: 'queued' })).to.satisfy(
      (found: string[]) => found.every((id) => id === c),
    );
    await platform.settled();
    expect(await ids(svc, { since: until, tag: 'order=1', to: 'eve@example.com', status: 'sent' })).to.deep.equal([c]);
    expect(await ids(svc, { since: until, tag: 'order=1', to: 'eve@example.com', status: 'failed' })).to.deep.equal([]);
  });

  it('reads few messages for a short time, however many there are before and after it', async () => {
    const { svc, live } = await platform.account();
    const { messageId } = await send(svc);
    const { database, clock } = platform.running.services;
    const model = await database.findOne(messages, { id: messageId });
    if (!model) throw new Error('The message is gone.');
    const dayMs = 86_400_000;
    const rows = Array.from({ length: 2_000 }, (_, index) => {
      const at = new Date(clock.now().getTime() - index * dayMs);
      return { ...model, id: idText(Buffer.concat([firstIdAt(at).subarray(0, 6), randomBytes(10)])), createdAt: at };
    });
    await database.run(messages.insertRows(rows));
    const [since, until] = [1_000, 998].map((days) => new Date(clock.now().getTime() - days * dayMs).toISOString());
    await database.transaction(async (db) => {
      for (const [times, found] of [
        [{ since, until }, 2],
        [{ since, until, status: 'failed' as const }, 0],
        [{ until: rows[1_998]?.createdAt.toISOString() }, 1],
      ] as const) {
        const before = await handlerReads(db);
        const query = db.select(messages, 'message');
        const index = filterMessages(query, emailDriver, live, times, clock.now());
        expect((await paged(query, 'message', index, { limit: 10 })).rows).to.have.length(found);
        expect((await handlerReads(db)) - before).to.be.lessThan(200);
      }
    });
  });

  it('reads few messages of a broadcast or an automation for a page, however many it has', async () => {
    const { svc, live } = await platform.account();
    const { messageId } = await send(svc);
    const { database, clock } = platform.running.services;
    const model = await database.findOne(messages, { id: messageId });
    if (!model) throw new Error('The message is gone.');
    const [broadcastId, automationId] = [newId(), newId()];
    const rows = Array.from({ length: 6_000 }, (_, index) =>
      index % 3 === 0
        ? model
        : { ...model, ...(index % 3 === 1 ? { broadcastId, contactId: newId() } : { automationId }) },
    ).map((row) => ({ ...row, id: newId() }));
    await database.run(messages.insertRows(rows));
    await database.rows('ANALYZE TABLE email_message');
    await database.transaction(async (db) => {
      for (const filter of [{ broadcastId }, { automationId }, { broadcastId, status: model.status }]) {
        const before = await handlerReads(db);
        const query = db.select(messages, 'message');
        const index = filterMessages(query, emailDriver, live, filter, clock.now());
        expect((await paged(query, 'message', index, { limit: 50 })).rows).to.have.length(50);
        expect((await handlerReads(db)) - before).to.be.lessThan(1_000);
      }
    });
  });

  it('pages through every message once, also while more are being sent', async () => {
    const { svc } = await platform.account();
    const all: string[] = [];
    for (let n = 0; n < 7; n += 1) all.unshift((await send(svc)).messageId);
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const page = await svc.call('email.message.list', { limit: 3, ...(before === undefined ? {} : { before }) });
      expect(page.messages.length).to.be.lessThanOrEqual(3);
      seen.push(...page.messages.map(({ messageId }) => messageId));
      before = page.nextBefore ?? undefined;
      await send(svc);
      await send(svc);
    } while (before !== undefined);
    expect(seen).to.deep.equal(all);
    expect(await ids(svc, { limit: 100 })).to.have.length(13);
  });

  it('marks the last page', async () => {
    const { svc } = await platform.account();
    for (let n = 0; n < 4; n += 1) await send(svc);
    const first = await svc.call('email.message.list', { limit: 2 });
    expect(first.nextBefore).to.be.a('string');
    const second = await svc.call('email.message.list', { limit: 2, before: first.nextBefore ?? '' });
    expect([second.messages.length, second.nextBefore]).to.deep.equal([2, null]);
  });

  it('refuses invalid filters', async () => {
    const { svc } = await platform.account();
    const cases: RefusedCases = [
      ['limit 0', { limit: 0 }, 'limit'],
      ['limit 101', { limit: 101 }, 'limit'],
      ['status', { status: 'opened' }, 'status'],
      ['to', { to: 'a@x.com, b@y.com' }, 'to'],
      ['tag without value', { tag: 'order' }, 'tag'],
      ['tag with a line break', { tag: 'order=1\n' }, 'tag'],
      ['since', { since: 'yesterday' }, 'since'],
      ['before', { before: 'x' }, 'before'],
      ['before SQL', { before: "' OR 1=1 --" }, 'before'],
      ['unknown', { offset: 3 }, 'offset'],
    ];
    expect(await refusedFields(svc, 'email.message.list', cases)).to.deep.equal(expectedFields(cases));
  });
});
