import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import type { Api } from '#test/support/api.js';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { setClosed } from './support.js';

describe('audience.contact.import: the imports of an environment', () => {
  const platform = usePlatform();

  /** Rows of which the last one sets the plan of the contact `ada`. */
  const rows = (count: number, plan: string) => [
    ...Array.from({ length: count - 1 }, (_, index) => ({
      externalId: `row-${index}`,
      properties: Object.fromEntries(Array.from({ length: 15 }, (__, key) => [`property ${key}`, `${plan} ${index}`])),
    })),
    { externalId: 'ada', properties: { plan } },
  ];

  const planOf = async (svc: Api): Promise<unknown> =>
    (await svc.call('audience.contact.get', { externalId: 'ada' })).contact.properties['plan'];

  const importOf = async ({ svc }: TestAccount, importId: string) =>
    (await svc.call('audience.import.get', { importId })).import;

  /** Queues imports while the environment is closed, so that all of them are due when it is opened again. */
  async function queued(account: TestAccount, ...inputs: readonly ReturnType<typeof rows>[]): Promise<string[]> {
    await setClosed(platform, account.live);
    const ids: string[] = [];
    for (const contacts of inputs) {
      ids.push((await account.svc.call('audience.contact.import', { contacts })).import.id);
      platform.clock.advance(1);
    }
    return ids;
  }

  it('are done in the order of their calls, also if the first takes several turns', async function () {
    this.timeout(120_000);
    const account = await platform.account();
    await queued(account, rows(6_000, 'first'), rows(1, 'second'), rows(1, 'third'));
    await setClosed(platform, account.live, false);
    await platform.settled();
    expect(await planOf(account.svc)).to.equal('third');
  });

  it('are done in the order of their calls with two nodes', async function () {
    this.timeout(120_000);
    const account = await platform.account();
    await queued(account, rows(3_000, 'first'), rows(1_000, 'second'), rows(1, 'third'));
    const other = await platform.secondNode();
    await setClosed(platform, account.live, false);
    await eventually(async () => (await platform.count('audience_import_queue')) === 0, 'the end of all', 60_000);
    await other.stop();
    expect(await planOf(account.svc)).to.equal('third');
  });

  it('wait for one whose part is repeated, without being tried meanwhile, and go on after it failed', async () => {
    const account = await platform.account();
    const { live } = account;
    const [first = '', ...others] = await queued(
      account,
      rows(2, 'first'),
      ...Array.from({ length: 5 }, () => rows(1, 'later')),
    );
    const { database } = platform.running.services;
    await database.run("UPDATE audience_import_part SET contacts = 'no list' WHERE import_id = ?", [idBytes(first)]);
    await setClosed(platform, live, false);
    await platform.settled();
    for (const id of others) expect((await importOf(account, id)).status).to.equal('queued');
    const waiting = await database.rows<{ attempts: number; is_due: number }>(
      'SELECT attempts, due_at <= ? AS is_due FROM audience_import_queue WHERE partition_id = ? AND id <> ?',
      [platform.clock.now(), idBytes(live.id), idBytes(first)],
    );
    expect(waiting.map(({ is_due }) => is_due)).to.deep.equal([0, 0, 0, 0, 0]);
    expect(waiting.reduce((sum, { attempts }) => sum + attempts, 0)).to.be.at.most(1);

    let tries = 0;
    for (; (await importOf(account, first)).status !== 'failed' && tries < 20; tries += 1) {
      platform.clock.advance(minutes(10));
      await platform.settled();
    }
    await platform.settled();
    for (const id of others) expect((await importOf(account, id)).status).to.equal('done');
    expect(await planOf(account.svc)).to.equal('later');
  });
});
