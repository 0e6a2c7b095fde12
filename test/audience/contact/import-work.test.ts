import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { eventsNamed, setClosed } from './support.js';

describe('audience.contact.import: background work', () => {
  const platform = usePlatform();

  const rows = (count: number, name = 'row') =>
    Array.from({ length: count }, (_, index) => ({
      externalId: `${name}-${index}`,
      properties: Object.fromEntries(Array.from({ length: 15 }, (__, key) => [`property ${key}`, index * key])),
    }));

  const importOf = async ({ svc }: TestAccount, importId: string) =>
    (await svc.call('audience.import.get', { importId })).import;

  it('reports its progress after each part', async () => {
    const account = await platform.account();
    const { import: accepted } = await account.svc.call('audience.contact.import', { contacts: rows(3_000) });
    const seen = new Set<number>();
    await eventually(async () => {
      const { status, processed, created, startedAt, finishedAt } = await importOf(account, accepted.id);
      seen.add(processed);
      expect(created).to.equal(processed);
      expect(startedAt === null).to.equal(status === 'queued');
      expect(finishedAt === null).to.equal(status !== 'done');
      expect(status).to.equal(processed === 0 ? 'queued' : processed < 3_000 ? 'running' : 'done');
      return status === 'done';
    }, 'the end of the import');
    expect([...seen].filter((processed) => processed % 500 !== 0)).to.deep.equal([]);
    expect(seen.size).to.be.greaterThan(2);
  });

  it('waits while the account is closed, and continues when it is reopened', async () => {
    const account = await platform.account();
    await setClosed(platform, account.live);
    const { import: accepted } = await account.svc.call('audience.contact.import', { contacts: rows(2) });
    await platform.settled();
    expect(await importOf(account, accepted.id)).to.deep.equal(accepted);
    await setClosed(platform, account.live, false);
    await platform.settled();
    expect(await importOf(account, accepted.id)).to.include({ status: 'done', created: 2 });
  });

  it('gives other environments a turn during a long import', async function () {
    this.timeout(60_000);
    // As many as are worked on at once.
    const long = [await platform.account(), await platform.account(), await platform.account()];
    const short = await platform.account();
    const ids = await Promise.all(
      long.map(async ({ svc }) => (await svc.call('audience.contact.import', { contacts: rows(6_000) })).import.id),
    );
    const { import: accepted } = await short.svc.call('audience.contact.import', { contacts: rows(1) });
    await eventually(async () => (await importOf(short, accepted.id)).status === 'done', 'the short import', 30_000);
    const others = await Promise.all(long.map((account, index) => importOf(account, ids[index] ?? '')));
    expect(
      others.filter(({ status }) => status !== 'done'),
      'the long ones have not ended',
    ).to.not.deep.equal([]);
    await platform.settled();
  });

  it('imports fewer rows per part when they have many consents: at most 2,000', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const keys = ['one', 'two', 'three', 'four', 'five'];
    for (const key of keys) await svc.call('audience.topic.create', { key, name: key });
    const consents = keys.map((topic) => ({ topic, channel: 'email' as const, source: 'fair' }));
    await setClosed(platform, live);
    const people = Array.from({ length: 500 }, (_, index) => ({ email: `person-${index}@example.com` }));
    const own = people.map((person) => ({ ...person, consents: consents.slice(0, 4) }));
    const csv = ['mail', ...people.map(({ email }) => email)].join('\n');
    await svc.call('audience.contact.import', { contacts: people, consents });
    await svc.call('audience.contact.import', { csv, columns: { mail: 'email' }, consents });
    await svc.call('audience.contact.import', { contacts: own, consents });
    const parts = await platform.running.services.database.rows<{ first_row: number }>(
      'SELECT first_row FROM audience_import_part ORDER BY import_id, position',
    );
    expect(parts.map((part) => part.first_row)).to.deep.equal([1, 401, 1, 401, 1]);
    await setClosed(platform, live, false);
    await platform.settled();
    expect(await platform.count('audience_consent_record')).to.equal(2_500);
  });

  it('fails, with its counts, after a part failed repeatedly', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    await setClosed(platform, live);
    const { import: accepted } = await svc.call('audience.contact.import', { contacts: rows(1_200) });
    await platform.running.services.database.run(
      "UPDATE audience_import_part SET contacts = 'no list' WHERE import_id = ? AND position = 1",
      [idBytes(accepted.id)],
    );
    await setClosed(platform, live, false);
    let tries = 0;
    for (; (await importOf(account, accepted.id)).status !== 'failed' && tries < 20; tries += 1) {
      platform.clock.advance(minutes(10));
      await platform.settled();
    }
    expect(tries).to.be.within(2, 10);
    const failed = await importOf(account, accepted.id);
    expect(failed).to.include({ status: 'failed', processed: 500, created: 500, rejected: 0 });
    expect(failed.finishedAt).not.to.equal(null);
    const ends = await eventsNamed(platform, live, 'audience.contact.imported');
    expect(ends.map(({ data }) => data)).to.deep.equal([{ import: failed }]);
    expect(await platform.count('audience_import_part')).to.equal(0);
    expect(await platform.count('audience_import_queue')).to.equal(0);
  });

  it('imports each row once with two nodes', async function () {
    this.timeout(60_000);
    const account = await platform.account();
    const { svc, live } = account;
    const other = await platform.secondNode();
    const ids: string[] = [];
    for (let round = 0; round < 3; round += 1)
      ids.push((await svc.call('audience.contact.import', { contacts: rows(1_000, `round ${round % 2}`) })).import.id);
    await eventually(async () => (await platform.count('audience_import_queue')) === 0, 'the end of all', 30_000);
    await other.stop();
    const done = await Promise.all(ids.map((id) => importOf(account, id)));
    expect(done.map(({ status, processed }) => `${status} ${processed}`)).to.deep.equal(Array(3).fill('done 1000'));
    expect(done.reduce((sum, { created }) => sum + created, 0)).to.equal(2_000);
    expect(await eventsNamed(platform, live, 'audience.contact.created')).to.have.length(2_000);
    expect(await eventsNamed(platform, live, 'audience.contact.imported')).to.have.length(3);
  });
});
