import { expect } from 'chai';
import { withTimeLimit } from '#core/runtime/database/time-limit.js';
import { countAudience, type CountLimits } from '#plugins/audience/eligibility/count-audience.js';
import type { AudienceCounts } from '#plugins/audience/ports.js';
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
    countAudience(platform.running.services.database, live.id, purpose, null, limits);
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
    const costly = { sql: 'SLEEP(0.3) = 0', parameters: [] };
    const db = withTimeLimit(database, database.flavour, 1);
    expect(await countAudience(db, live.id, purpose, costly, { firstBatch: 8 })).to.deep.include(all);
    const never = { sql: 'SLEEP(1.5) = 0', parameters: [] };
    const none = await countAudience(db, live.id, purpose, never, { firstBatch: 8 });
    expect(none).to.deep.include({ eligible: 0, noConsent: 0, suppressed: 0, isExact: false });
  });
});
