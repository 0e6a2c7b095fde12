import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { SuppressionReason } from '#plugins/audience/ports.js';
import { newId } from '#core/runtime/id.js';
import { suppressions, type SuppressionRow } from '#plugins/audience/tables/suppression.js';
import type { ReplyOf } from '#test/support/api.js';
import { hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf, contactOf, eventsOf } from '../support.js';
import { suppress } from './support.js';

describe('audience.suppression.lift with a filter', () => {
  const platform = usePlatform();

  const bounced = (live: Environment, address: string, reason: SuppressionReason = 'bounce'): Promise<void> =>
    suppress(platform, live, { channel: 'email', address, reason });
  const inForce = (live: Environment): Promise<number> =>
    platform.count('audience_suppression', `active = 1 AND environment_id = 0x${live.id.replaceAll('-', '')}`);

  it('counts first, in a dry run that changes nothing, then lifts what it counted', async () => {
    const { svc, live } = await platform.account();
    const contact = await contactOf(svc, { email: 'ada@down.example' });
    for (const address of ['ada@down.example', 'bob@down.example', 'eve@up.example']) await bounced(live, address);
    const filter = { reason: 'bounce', domain: 'Down.example' } as const;
    const dry = await svc.envelope('audience.suppression.lift', { filter, dryRun: true });
    expect(dry.result.suppression).to.equal(null);
    expect(dry.result.many).to.deep.include({ count: 2, nextBefore: null });
    expect(dry.result.many?.sample.map(({ email }) => email)).to.deep.equal(['bob@down.example', 'ada@down.example']);
    expect(await inForce(live)).to.equal(3);
    expect(await eventsOf(platform, live, 'audience.suppression.lifted')).to.deep.equal([]);
    expect((await auditOf(platform, dry.activityId)).summary).to.contain('dry run found 2');

    const { activityId, result } = await svc.envelope('audience.suppression.lift', { filter, note: 'An outage.' });
    expect(result.many).to.deep.include({ count: 2, nextBefore: null });
    expect(result.many?.sample.every(({ liftedAt, liftable }) => liftedAt !== null && !liftable)).to.equal(true);
    expect(await inForce(live)).to.equal(1);
    const told = await eventsOf(platform, live, 'audience.suppression.lifted');
    expect(told.map(({ personId }) => personId)).to.have.members([contact.id, null]);
    expect(await auditOf(platform, activityId)).to.deep.include({
      subject: `environment ${live.id}`,
      summary: 'Lifted 2 suppressions by filter.',
      changes: [
        { field: 'filter', from: null, to: filter },
        { field: 'count', from: null, to: 2 },
        { field: 'note', from: null, to: '(withheld)' },
      ],
    });
    const again = await svc.call('audience.suppression.lift', { filter });
    expect(again.many).to.deep.equal({ count: 0, sample: [], nextBefore: null });
  });

  it('never lifts what the person asked for, with any filter', async () => {
    const { svc, live } = await platform.account();
    const personal = ['unsubscribe', 'complaint'] as const;
    for (const reason of personal) await bounced(live, 'ada@example.com', reason);
    await suppress(platform, live, { channel: 'sms', address: '+4915123456789', reason: 'stop' });
    await bounced(live, 'ada@example.com');
    await svc.call('audience.suppression.add', { email: 'bob@example.com' });
    for (const reason of [...personal, 'stop'] as const) {
      const refused = await svc.refusal('audience.suppression.lift', { filter: { reason } });
      expect(refused, reason).to.include({ status: 409, code: 'suppression_not_liftable' });
    }
    const filters = [
      { query: 'ada' },
      { domain: 'example.com' },
      { channel: 'sms' },
      { since: '2000-01-01T00:00:00Z' },
    ] as const;
    for (const filter of filters) await svc.call('audience.suppression.lift', { filter });
    const { suppressions: left } = await svc.call('audience.suppression.list', {});
    const standing = left.filter(({ liftedAt }) => liftedAt === null).map(({ reason }) => reason);
    expect(standing).to.have.members(['unsubscribe', 'complaint', 'stop']);
  });

  it('combines times, channel, reason and text, and takes % and _ literally', async () => {
    const { svc, live } = await platform.account();
    await bounced(live, 'early@example.com');
    platform.clock.advance(hours(1));
    const since = platform.clock.now().toISOString();
    await bounced(live, 'a_b@example.com');
    await bounced(live, 'axb@example.com');
    await suppress(platform, live, { channel: 'sms', address: '+4915123456789', reason: 'bounce' });
    platform.clock.advance(hours(1));
    const until = platform.clock.now().toISOString();
    await bounced(live, 'late@example.com');
    const count = async (filter: object): Promise<number | undefined> =>
      (await svc.call('audience.suppression.lift', { filter, dryRun: true })).many?.count;
    expect(await count({ since })).to.equal(4);
    expect(await count({ until })).to.equal(4);
    expect(await count({ since, until })).to.equal(3);
    expect(await count({ since, until, channel: 'email' })).to.equal(2);
    expect(await count({ query: 'a_b' })).to.equal(1);
    expect(await count({ query: '%%' })).to.equal(0);
    expect(await count({ query: '15123' })).to.equal(1);
    expect(await count({ reason: 'manual' })).to.equal(0);
  });

  it('lifts a bounded number for each call, and says where the next one continues', async function () {
    this.timeout(30_000);
    const { svc, live } = await platform.account();
    const row = (n: number): SuppressionRow => ({
      id: newId(),
      environmentId: live.id,
      channel: 'email',
      address: `p${n}@example.com`,
      addressDigest: Buffer.alloc(32, `${n}`.padStart(8, '0')),
      reason: 'bounce',
      note: null,
      active: 1,
      createdAt: platform.clock.now(),
      liftedAt: null,
    });
    const rows = Array.from({ length: 1_100 }, (_, n) => row(n));
    for (let at = 0; at < rows.length; at += 100)
      await platform.running.services.database.insert(suppressions, rows.slice(at, at + 100));
    const filter = { domain: 'example.com' };
    expect((await svc.call('audience.suppression.lift', { filter, dryRun: true })).many?.count).to.equal(1_100);
    const counts: number[] = [];
    let before: string | null = null;
    do {
      const given: { before?: string } = before === null ? {} : { before };
      const answer: ReplyOf<'audience.suppression.lift'> = await svc.call('audience.suppression.lift', {
        filter,
        ...given,
      });
      counts.push(answer.many?.count ?? -1);
      before = answer.many?.nextBefore ?? null;
    } while (before !== null);
    expect(counts).to.deep.equal([500, 500, 100]);
    expect(await inForce(live)).to.equal(0);
    expect(await eventsOf(platform, live, 'audience.suppression.lifted')).to.have.length(1_100);
  });

  it('lifts each once in concurrent calls', async () => {
    const { svc, live } = await platform.account();
    for (let n = 0; n < 20; n += 1) await bounced(live, `p${n}@example.com`);
    const filter = { reason: 'bounce' } as const;
    const all = await Promise.all(Array.from({ length: 4 }, () => svc.call('audience.suppression.lift', { filter })));
    expect(all.reduce((sum, { many }) => sum + (many?.count ?? 0), 0)).to.equal(20);
    expect(await eventsOf(platform, live, 'audience.suppression.lifted')).to.have.length(20);
  });

  it('reaches no other environment, and refuses an empty filter, both or none, and a domain that is none', async () => {
    const { svc, svcTest, live } = await platform.account();
    await bounced(live, 'ada@example.com');
    const filter = { domain: 'example.com' };
    expect((await svcTest.call('audience.suppression.lift', { filter })).many?.count).to.equal(0);
    expect(await inForce(live)).to.equal(1);
    const suppressionId = newId();
    const wrong = [{}, { filter: {} }, { filter, suppressionId }, { suppressionId, dryRun: true }];
    for (const input of [...wrong, { suppressionId, before: newId() }, { filter: { domain: 'a@b' } }])
      expect(await svc.refusal('audience.suppression.lift', input), JSON.stringify(input)).to.include({
        status: 400,
        code: 'invalid_input',
      });
  });

  it('withholds the searched text in the audit record, because an erasure would not find it', async () => {
    const { svc, live } = await platform.account();
    await bounced(live, 'ada@example.com');
    const { activityId } = await svc.envelope('audience.suppression.lift', { filter: { query: 'ada@' } });
    const { changes } = await auditOf(platform, activityId);
    expect(JSON.stringify(changes)).to.contain('(withheld)').and.not.contain('ada@');
  });
});
