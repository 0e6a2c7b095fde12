import { expect } from 'chai';
import { countContacts } from '#plugins/billing/closing/contact-peaks.js';
import { sqlId } from '#test/email/support.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { usageOf } from './metering-support.js';
import { closeMonths } from './support.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('Contacts', () => {
  needProducts('audience');
  const platform = usePlatform({ settings: usePrices([flat('audience.contact', '0.01')]) });
  /** Just after the end of a day (UTC). */
  const dayEnds = async (): Promise<void> => {
    const now = platform.clock.now().getTime();
    platform.clock.advance(86_400_000 - (now % 86_400_000) + 60_000);
    await Promise.all([countContacts(platform.running.services), countContacts(platform.running.services)]);
  };
  /** The second of a month, so that days end within it. */
  const toNextMonth = (): void => {
    const now = platform.clock.now();
    const second = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2, 12);
    platform.clock.advance(second - now.getTime());
  };
  const add = async ({ svc }: TestAccount, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const email = `c${Math.random().toString(36).slice(2)}@example.com`;
      ids.push((await svc.call('audience.contact.upsert', { email })).contact.id);
    }
    return ids;
  };

  it('are metered as the highest of the month’s counts at the end of each day, once a day', async () => {
    toNextMonth();
    const account = await platform.account();
    const { svc } = account;
    const [first = '', second = ''] = await add(account, 3);
    expect(await usageOf(svc), 'before the day ended').to.deep.equal([]);
    await dayEnds();
    expect(await usageOf(svc)).to.deep.equal(['audience.contact 3 0.03']);
    await countContacts(platform.running.services);
    expect(await usageOf(svc)).to.deep.equal(['audience.contact 3 0.03']);
    for (const contactId of [first, second]) await svc.call('audience.contact.delete', { contactId });
    await dayEnds();
    expect(await usageOf(svc), 'fewer').to.deep.equal(['audience.contact 3 0.03']);
    await add(account, 4);
    await dayEnds();
    expect(await usageOf(svc), 'five').to.deep.equal(['audience.contact 5 0.05']);
  });

  it('of the last day are counted in its month, and anew in the next', async () => {
    toNextMonth();
    const account = await platform.account();
    await add(account, 2);
    const now = platform.clock.now();
    const last = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0, 12);
    platform.clock.advance(last - now.getTime());
    const period = platform.clock.now().toISOString().slice(0, 7);
    await dayEnds();
    expect(await usageOf(account.svc)).to.deep.equal([]);
    expect(await usageOf(account.svc, { period })).to.deep.equal(['audience.contact 2 0.02']);
    await dayEnds();
    expect(await usageOf(account.svc)).to.deep.equal(['audience.contact 2 0.02']);
  });

  it('of a closed account do not count, until it is open again', async () => {
    toNextMonth();
    const account = await platform.account();
    const { svc } = account;
    await add(account, 1);
    await dayEnds();
    await add(account, 2);
    await svc.call('account.close', { reason: 'test' });
    await dayEnds();
    await dayEnds();
    await svc.call('account.reopen', {});
    expect(await usageOf(svc), 'closed').to.deep.equal(['audience.contact 1 0.01']);
    await countContacts(platform.running.services);
    expect(await usageOf(svc), 'days before it was opened again').to.deep.equal(['audience.contact 1 0.01']);
    await dayEnds();
    expect(await usageOf(svc), 'open').to.deep.equal(['audience.contact 3 0.03']);
  });

  /** Nothing runs until then. */
  const toThirdOfNextMonth = (): void => {
    const now = platform.clock.now();
    platform.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 3, 12) - now.getTime());
  };

  it('of days at whose end nothing ran are counted later, in the month that they belong to, before it is closed', async () => {
    toNextMonth();
    const account = await platform.account();
    const { svc } = account;
    await dayEnds();
    await add(account, 3);
    const month = platform.clock.now().toISOString().slice(0, 7);
    toThirdOfNextMonth();
    await add(account, 2);
    await closeMonths(platform);
    const { invoice } = await svc.call('billing.invoice.get', { period: month });
    expect(invoice.lines.map(({ meter, quantity }) => [meter, quantity])).to.deep.equal([['audience.contact', 3]]);
    expect(await usageOf(svc), 'the three, at the end of the month’s first days').to.deep.equal([
      'audience.contact 3 0.03',
    ]);
    await dayEnds();
    expect(await usageOf(svc)).to.deep.equal(['audience.contact 5 0.05']);
  });

  it('of days at whose end nothing ran are counted later, also if the environment was new then', async () => {
    toNextMonth();
    const account = await platform.account();
    const { svc } = account;
    await add(account, 3);
    const month = platform.clock.now().toISOString().slice(0, 7);
    toThirdOfNextMonth();
    await add(account, 2);
    await closeMonths(platform);
    const { invoice } = await svc.call('billing.invoice.get', { period: month });
    expect(invoice.lines.map(({ meter, quantity }) => [meter, quantity])).to.deep.equal([['audience.contact', 3]]);
    expect(await usageOf(svc)).to.deep.equal(['audience.contact 3 0.03']);
  });

  it('of days before billing was enabled do not count', async () => {
    toNextMonth();
    const account = await platform.account();
    await add(account, 2);
    const period = platform.clock.now().toISOString().slice(0, 7);
    toNextMonth();
    const { database } = platform.running.services;
    const [before] = await database.rows<{ first: Date }>(
      "SELECT MIN(applied_at) AS first FROM svc_migration WHERE owner = 'billing'",
    );
    // As if billing had been enabled just now.
    await database.run("UPDATE svc_migration SET applied_at = ? WHERE owner = 'billing'", [platform.clock.now()]);
    await dayEnds();
    await database.run("UPDATE svc_migration SET applied_at = ? WHERE owner = 'billing'", [before?.first ?? null]);
    expect(await usageOf(account.svc, { period })).to.deep.equal([]);
    expect(await usageOf(account.svc)).to.deep.equal(['audience.contact 2 0.02']);
  });

  it('of an environment for which counting fails are counted later, and those of the others at their time', async function () {
    skipOnVitess(this, 'triggers');
    toNextMonth();
    const [first, second] = [await platform.account(), await platform.account()];
    for (const account of [first, second]) await add(account, 2);
    const { database } = platform.running.services;
    await database.run(
      `CREATE TRIGGER no_peak BEFORE INSERT ON billing_contact_peak FOR EACH ROW
       IF NEW.environment_id = ${sqlId(first.live.id)} THEN SIGNAL SQLSTATE '45000'; END IF`,
    );
    try {
      await dayEnds();
      expect(await usageOf(first.svc)).to.deep.equal([]);
      expect(await usageOf(second.svc)).to.deep.equal(['audience.contact 2 0.02']);
    } finally {
      await database.run('DROP TRIGGER no_peak');
    }
    await countContacts(platform.running.services);
    expect(await usageOf(first.svc)).to.deep.equal(['audience.contact 2 0.02']);
  });
});
