import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { withTimeLimit } from '#core/runtime/database/time-limit.js';
import { idBytes } from '#core/runtime/id.js';
import { countAudience, type CountLimits } from '#plugins/audience/eligibility/count-audience.js';
import { countSegment } from '#plugins/audience/eligibility/count-segment.js';
import { makeRecipients } from '#plugins/audience/eligibility/recipients.js';
import type { AudienceCounts } from '#plugins/audience/ports.js';
import { candidatesFrom, everybody } from '#plugins/audience/segments/candidates.js';
import { compile } from '#plugins/audience/segments/compile.js';
import { parseDefinition } from '#plugins/audience/segments/parse.js';
import { insertSubscribers } from '#test/support/contact-rows.js';
import { handlerReads } from '#test/support/handler-reads.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

describe('Counting an audience', () => {
  const platform = usePlatform();

  /**
   * Seven contacts: four may be mailed, two have not granted the topic, one of them by opting out, and one is
   * suppressed.
   */
  async function audience(): Promise<TestAccount> {
    const account = await platform.account();
    const { svc } = account;
    await svc.call('audience.topic.create', { key: 'news', name: 'News' });
    for (let index = 0; index < 7; index += 1) {
      const consents = index < 5 ? [{ topic: 'news', channel: 'email' as const, source: 'form' }] : [];
      await svc.call('audience.contact.upsert', { email: `reader${index}@example.com`, consents });
    }
    await svc.call('audience.suppression.add', { email: 'reader0@example.com' });
    const opted = { email: 'reader6@example.com', topic: 'news', channel: 'email' as const, source: 'call' };
    await svc.call('audience.consent.revoke', opted);
    return account;
  }

  const purpose = { channel: 'email', topic: 'news' } as const;
  const count = ({ live }: TestAccount, limits: CountLimits): Promise<AudienceCounts> =>
    countAudience(platform.running.services.database, live.id, purpose, everybody, limits);
  const all = { eligible: 4, noConsent: 2, optedOut: 1, suppressed: 1, isExact: true };

  it('is the same however many steps it takes', async () => {
    const account = await audience();
    for (const firstStep of [1, 2, 3, 7, 100])
      expect(await count(account, { firstBatch: firstStep }), String(firstStep)).to.deep.include(all);
  });

  it('counts the eligible contacts without a property', async () => {
    const account = await audience();
    const of = (email: string) => ({ email, properties: { plan: 'pro' } });
    // One eligible contact, one that is suppressed, and one without consent.
    for (const index of [1, 0, 6]) await account.svc.call('audience.contact.upsert', of(`reader${index}@example.com`));
    for (const firstStep of [2, 100]) {
      const { eligibleWithout } = await count(account, { firstBatch: firstStep, properties: ['plan', 'town'] });
      expect([...eligibleWithout], String(firstStep)).to.deep.equal([
        ['plan', 3],
        ['town', 4],
      ]);
    }
  });

  it('says how many there are at least where its time is over', async () => {
    const account = await audience();
    const part = await count(account, { firstBatch: 3, withinMs: 0 });
    expect(part).to.deep.include({ eligible: 2, noConsent: 0, suppressed: 1, isExact: false });
    expect(await count(account, { firstBatch: 7, withinMs: 0 }), 'it had come to the end').to.deep.include(all);
  });

  it('takes smaller steps where the database ends a statement', async () => {
    const { live } = await audience();
    const { database } = platform.running.services;
    // A segment whose evaluation takes a third of a second for each contact.
    const costly = { rows: null, check: { sql: 'SLEEP(0.3) = 0', parameters: [] } };
    const db = withTimeLimit(database, database.flavour, 1);
    expect(await countAudience(db, live.id, purpose, costly, { firstBatch: 8 })).to.deep.include(all);
    const never = { rows: null, check: { sql: 'SLEEP(1.5) = 0', parameters: [] } };
    const none = await countAudience(db, live.id, purpose, never, { firstBatch: 8 });
    expect(none).to.deep.include({ eligible: 0, noConsent: 0, suppressed: 0, isExact: false });
  });

  it('is the same from every side, with contacts who lost their address, were erased or have several suppressions', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    await svc.call('audience.topic.create', { key: 'news', name: 'News' });
    const ids: string[] = [];
    for (let index = 0; index < 24; index += 1) {
      const { contact } = await svc.call('audience.contact.upsert', {
        email: `p${index}@sides.example`,
        externalId: `p${index}`,
        properties: { third: index % 3 === 0 },
        consents: index % 4 === 0 ? [] : [{ topic: 'news', channel: 'email' as const, source: 'form' }],
      });
      ids.push(contact.id);
      if (index % 5 === 0)
        await svc.call('audience.consent.revoke', {
          ...{ contactId: contact.id, topic: 'news', channel: 'email' as const, source: 'call' },
        });
    }
    for (const index of [1, 5, 7]) await svc.call('audience.suppression.add', { email: `p${index}@sides.example` });
    await platform.running.services.database.run(
      `INSERT INTO audience_suppression (id, environment_id, channel, address, address_digest, reason, active, created_at)
       SELECT UNHEX(REPLACE(UUID(), '-', '')), environment_id, channel, address, address_digest, 'complaint', 1, created_at
       FROM audience_suppression WHERE environment_id = ?`,
      [idBytes(live.id)],
    );
    for (const index of [2, 3, 10])
      await svc.call('audience.contact.update', { contactId: ids[index] ?? '', email: null });
    for (const index of [11, 15]) await svc.call('audience.contact.delete', { contactId: ids[index] ?? '' });
    const { database, clock } = platform.running.services;
    const scope = { environmentId: live.id, now: clock.now() };
    const third = { field: 'properties.third', op: 'eq', value: true };
    const compare = async (): Promise<number> => {
      let found = 0;
      for (const definition of [
        null,
        third,
        { not: third },
        { not: { not: third } },
        { any: [third, { not: third }] },
      ]) {
        const tree = definition === null ? null : parseDefinition(definition);
        const all = tree === null ? everybody : candidatesFrom(compile(tree, scope), null);
        const expected = await countAudience(database, live.id, purpose, all, { firstBatch: 5 });
        expect(await countSegment(database, scope, purpose, tree), JSON.stringify(definition)).to.deep.equal(expected);
        found += expected.eligible * expected.optedOut * expected.suppressed * expected.noConsent;
      }
      return found;
    };
    expect(await compare(), 'all kinds were counted').to.be.greaterThan(0);
    await svc.call('audience.topic.archive', { topic: 'news' });
    await compare();
  });

  it('reads as many rows as the segment has, not as the environment has', async () => {
    const { svc, live } = await platform.account();
    await svc.call('audience.topic.create', { key: 'news', name: 'News' });
    const own = await connectDatabase({ url: platform.databaseUrl, poolSize: 1 });
    await insertSubscribers(own, `X'${live.id.replaceAll('-', '')}'`, {
      count: 20_000,
      topic: 'news',
      domain: 'crowd.example',
    });
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    for (let index = 0; index < 5; index += 1)
      await svc.call('audience.contact.upsert', {
        email: `vip${index}@few.example`,
        properties: { vip: true },
        consents,
      });
    const { segment } = await svc.call('audience.segment.create', {
      name: 'Few',
      definition: { field: 'properties.vip', op: 'eq', value: true },
    });
    await platform.running.services.transaction('Test', async (context) => {
      const port = makeRecipients({ ...context, db: { ...context.db, rows: own.rows, prepared: own.prepared } });
      const reads = async (work: () => Promise<unknown>): Promise<number> => {
        const before = await handlerReads(own);
        await work();
        return (await handlerReads(own)) - before;
      };
      const few = await reads(async () => {
        const counts = await port.countAudience(live.id, purpose, segment.id);
        expect(counts).to.deep.include({ eligible: 5, isExact: true });
      });
      expect(few, 'counted').to.be.lessThan(500);
      const made = await reads(async () => {
        const range = await port.contactsAfter(live.id, segment.id, null, 5_000);
        expect(range).to.include({ after: null });
        if (!range) return;
        await port.recipientsIn(live.id, purpose, segment.id, range);
        expect(await port.contactsAfter(live.id, segment.id, range.upTo, 5_000)).to.equal(null);
      });
      expect(made, 'their messages are made').to.be.lessThan(500);
    });
    await own.close();
  });
});
