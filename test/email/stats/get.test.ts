import { expect } from 'chai';
import { rollUp } from '#core/messaging/stats/roll-up.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { tagValue } from '#core/messaging/stats/count.js';
import { statJobsOf } from '#core/messaging/stats/jobs.js';
import { statTables } from '#plugins/email/tables/stat.js';
import { erasure } from '#core/kernel/ports.js';
import { days, hours } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import type { InputOf } from '#test/support/api.js';
import { itNeeding } from '#test/support/products.js';
import { notice, useBounces } from '../bounces/support.js';
import { send, suppress } from '../support.js';
import { otherTags, tagsPerDay } from '#core/messaging/stat-tables.js';
import { countAccepted, countMoved } from './count.js';

const none = { queued: 0, sent: 0, failed: 0, suppressed: 0, bounced: 0, cancelled: 0 };
type Filter = Partial<InputOf<'email.stats.get'>>;

describe('email.stats.get', () => {
  const mail = useBounces();
  const { platform } = mail;

  const today = (offset = 0): string =>
    new Date(platform.clock.now().getTime() + days(offset)).toISOString().slice(0, 10);
  const total = async ({ svc }: TestAccount, filter: Filter = {}) =>
    (await svc.call('email.stats.get', { since: today(), until: today(1), ...filter })).total;
  const rolledUp = () => rollUp(platform.running.services.database, statTables);
  const message = (account: TestAccount) => ({
    environmentId: account.live.id,
    template: null,
    broadcastId: null,
    automationId: null,
    tags: {},
    createdAt: platform.clock.now(),
  });

  itNeeding('audience')('counts each message under the status that it has now', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const [bounced] = await Promise.all(['b1@example.com', 'b2@example.com'].map((to) => mail.sent(account, to)));
    await suppress(platform, live, 'no@example.com', 'manual');
    await send(svc, { to: 'no@example.com' });
    mail.smtp.onRecipient = (address) => (address === 'bad@example.com' ? { code: 550, message: 'no' } : null);
    await send(svc, { to: 'bad@example.com' });
    const waiting = await send(svc, { sendAfter });
    const cancelled = await send(svc, { sendAfter });
    await platform.settled();
    expect(await total(account)).to.deep.equal({ ...none, queued: 2, sent: 2, suppressed: 1, failed: 1 });
    await svc.call('email.message.cancel', { messageId: cancelled.messageId });
    await svc.call('email.message.cancel', { messageId: cancelled.messageId });
    await mail.report(bounced?.returnPaths[0] ?? '', notice({ finalRecipient: 'b1@example.com' }));
    await mail.report(bounced?.returnPaths[0] ?? '', notice({ finalRecipient: 'b1@example.com' }));
    const expected = { queued: 1, sent: 1, suppressed: 1, failed: 1, bounced: 1, cancelled: 1 };
    expect(await total(account)).to.deep.equal(expected);
    await rolledUp();
    expect(await platform.count('email_stat_change')).to.equal(0);
    expect(await total(account)).to.deep.equal(expected);
    await svc.call('email.message.cancel', { messageId: waiting.messageId });
    expect(await total(account)).to.deep.equal({ ...expected, queued: 0, cancelled: 2 });
  });

  it('counts a message on the day on which it was accepted, and shows days without any', async () => {
    const account = await platform.account();
    const first = today();
    const sendAfter = new Date(platform.clock.now().getTime() + days(2)).toISOString();
    await send(account.svc, { sendAfter });
    platform.clock.advance(days(2));
    await mail.sent(account);
    await rolledUp();
    const { days: shown, total: all } = await account.svc.call('email.stats.get', { since: first, until: today(1) });
    expect(shown).to.deep.equal([
      { date: first, ...none, sent: 1 },
      { date: today(-1), ...none },
      { date: today(), ...none, sent: 1 },
    ]);
    expect(all).to.deep.equal({ ...none, sent: 2 });
    const before = await account.svc.call('email.stats.get', { since: first, until: today() });
    expect(before.total).to.deep.equal({ ...none, sent: 1 });
  });

  it('counts by tag', async () => {
    const account = await platform.account();
    await mail.sent(account, 'a@example.com', { plan: 'pro', region: 'eu' });
    await mail.sent(account, 'b@example.com', { plan: 'pro' });
    const counts = await Promise.all(
      ['plan=pro', 'region=eu', 'plan=free'].map(async (tag) => (await total(account, { tag })).sent),
    );
    expect(counts).to.deep.equal([2, 1, 0]);
    const other = await platform.account();
    expect(await total(other, { tag: 'plan=pro' })).to.deep.equal(none);
  });

  it('counts set-wise what is stored set-wise', async () => {
    const account = await platform.account();
    const { transaction } = platform.running.services;
    const many = { ...message(account), tags: { plan: 'pro' } };
    await transaction('Test', async ({ db }) => {
      await countAccepted(db, many, 1_000_000);
      await countMoved(db, many, 400_000, { from: 'queued', to: 'sent' });
      await countMoved(db, many, 600_000, { from: 'held', to: 'cancelled' });
      await countAccepted(db, message(account), 3, 'suppressed');
    });
    const sums = { ...none, sent: 400_000, cancelled: 600_000 };
    for (const next of [() => Promise.resolve(0), rolledUp]) {
      await next();
      expect(await total(account)).to.deep.equal({ ...sums, suppressed: 3 });
      expect(await total(account, { tag: 'plan=pro' })).to.deep.equal(sums);
    }
  });

  it('counts 1,000 tags of a day on their own, and all others together', async () => {
    const account = await platform.account();
    const { transaction, database } = platform.running.services;
    const tagged = (from: number, to: number, createdAt = platform.clock.now()) => ({
      ...message(account),
      createdAt,
      tags: Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`order-${from + index}`, 'yes'])),
    });
    const batches = [tagged(0, 700), tagged(600, 1_300), tagged(1_200, 1_900), tagged(1_800, 2_500)];
    const each = (work: (batch: ReturnType<typeof tagged>, index: number) => Promise<void>) =>
      Promise.all(batches.map(work));
    await each((batch) => transaction('Test', ({ db }) => countAccepted(db, batch, 2)));
    const rows = () =>
      database.rows<{ value: string; queued: number; sent: number }>(
        `SELECT CAST(value AS CHAR) AS value, queued, sent FROM email_stat WHERE environment_id = ? AND dimension = 'tag'`,
        [idBytes(account.live.id)],
      );
    const sumsOf = async () => {
      const found = await rows();
      const sum = (field: 'queued' | 'sent') => found.reduce((all, row) => all + row[field], 0);
      return { rows: found.length, queued: sum('queued'), sent: sum('sent') };
    };
    // Several processes at once: the limit holds, and nothing is lost.
    await Promise.all([rolledUp(), rolledUp(), rolledUp(), rolledUp()]);
    expect(await platform.count('email_stat_change')).to.equal(0);
    expect(await sumsOf()).to.deep.equal({ rows: tagsPerDay + 1, queued: 4 * 700 * 2, sent: 0 });

    // A later change of a tag is counted where its messages are, before and after it is added up.
    await each((batch) => transaction('Test', ({ db }) => countMoved(db, batch, 1, { from: 'queued', to: 'sent' })));
    const counted = new Set((await rows()).map(({ value }) => value));
    const names = Array.from({ length: 2_500 }, (_, index) => `order-${index}=yes`);
    const isCounted = (tag: string) => counted.has(tagValue(account.live.id, tag));
    const own = names.find(isCounted) ?? '';
    const other = names.find((tag) => !isCounted(tag)) ?? '';
    const read = (tag: string) => account.svc.call('email.stats.get', { since: today(), until: today(1), tag });
    for (const next of [() => Promise.resolve(0), rolledUp]) {
      await next();
      const [ownReply, otherReply] = [await read(own), await read(other)];
      expect(ownReply.total.sent, own).to.be.at.least(1);
      expect(ownReply.daysAmongOtherTags).to.deep.equal([]);
      expect(otherReply.total, other).to.deep.equal(none);
      expect(otherReply.daysAmongOtherTags).to.deep.equal([today()]);
    }
    expect(await sumsOf()).to.deep.equal({ rows: tagsPerDay + 1, queued: 4 * 700, sent: 4 * 700 });
    expect(counted).to.include(otherTags);

    // Neither other days nor other filters are affected.
    platform.clock.advance(days(1));
    await transaction('Test', ({ db }) => countAccepted(db, { ...message(account), tags: { late: 'yes' } }, 3));
    await rolledUp();
    expect((await read('late=yes')).total.queued).to.equal(3);
    expect((await read('late=yes')).daysAmongOtherTags).to.deep.equal([]);
    const all = await account.svc.call('email.stats.get', { since: today(-1), until: today() });
    expect(all.total).to.deep.equal({ ...none, queued: 4, sent: 4 });
    expect(all.daysAmongOtherTags).to.deep.equal([]);
  });

  it('is right while the counts are added up and messages are accepted', async () => {
    const account = await platform.account();
    const sum = async (): Promise<number> => Object.values(await total(account)).reduce((a, b) => a + b, 0);
    const writing = Promise.all(
      Array.from({ length: 30 }, (_, index) => send(account.svc, { to: `r${index}@example.com` })),
    );
    const state = { done: false };
    void writing.finally(() => (state.done = true));
    let last = 0;
    while (!state.done) {
      const [now] = await Promise.all([sum(), rolledUp(), rolledUp()]);
      expect(now).to.be.at.least(last);
      last = now;
    }
    await writing;
    await platform.settled();
    await rolledUp();
    expect(await total(account)).to.deep.equal({ ...none, sent: 30 });
  });

  it('still adds up when a person is erased, whose messages lose their tags', async () => {
    const account = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    await send(account.svc, { to: 'gone@example.com', tags: { plan: 'pro' }, sendAfter });
    await platform.running.services.transaction('Test', ({ use }) =>
      use(erasure).request({ environment: account.live, personId: newId(), email: 'gone@example.com', phone: null }),
    );
    await platform.settled();
    expect(await total(account, { tag: 'plan=pro' })).to.deep.equal({ ...none, cancelled: 1 });
    expect(await platform.count('email_stat_change', "value LIKE '%pro%'")).to.equal(0);
  });

  it('refuses days that are none, and more than 400 of them', async () => {
    const { svc } = await platform.account();
    const cases: [since: string, until: string, field: string][] = [
      ['2026-11-20', '2026-11-20', 'until'],
      ['2026-11-20', '2026-11-19', 'until'],
      ['2025-01-01', '2026-02-06', 'until'],
      ['2026-02-30', '2026-03-02', 'since'],
      ['2026-11-20T00:00:00Z', '2026-11-21', 'since'],
    ];
    for (const [since, until, field] of cases) {
      const { status, code, details } = await svc.refusal('email.stats.get', { since, until });
      expect([status, code, details['field']], `${since} ${until}`).to.deep.equal([400, 'invalid_input', field]);
    }
    const { days: all } = await svc.call('email.stats.get', { since: '2025-01-01', until: '2026-02-05' });
    expect(all).to.have.length(400);
  });

  itNeeding('audience')('refuses a filter that names nothing, and two filters at once', async () => {
    const { svc } = await platform.account();
    const range = { since: today(), until: today(1) };
    for (const filter of [{ template: 'nothing' }, { broadcastId: newId() }, { automationId: newId() }]) {
      const { status, code } = await svc.refusal('email.stats.get', { ...range, ...filter });
      expect([status, code], JSON.stringify(filter)).to.deep.equal([404, 'not_found']);
    }
    const both = await svc.refusal('email.stats.get', { ...range, tag: 'a=b', template: 'nothing' });
    expect([both.code, both.details['field']]).to.deep.equal(['invalid_input', 'tag']);
  });

  it('forgets counts after 400 days', async () => {
    const account = await platform.account();
    const old = { ...message(account), createdAt: new Date(platform.clock.now().getTime() - days(401)) };
    const kept = { ...old, createdAt: new Date(platform.clock.now().getTime() - days(400)) };
    await platform.running.services.transaction('Test', async ({ db }) => {
      await countAccepted(db, old, 1, 'sent');
      await countAccepted(db, kept, 1, 'sent');
    });
    for (const job of statJobsOf(platform.running.services, 'email', statTables)) await job.run();
    const read = async (offset: number) =>
      (await account.svc.call('email.stats.get', { since: today(offset), until: today(offset + 1) })).total.sent;
    expect([await read(-401), await read(-400)]).to.deep.equal([0, 1]);
  });
});
