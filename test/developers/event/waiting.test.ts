import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

/** Stored events: how many, at which minute, and the position of the first. null: they wait for their positions. */
interface Stored {
  count: number;
  minute: number;
  from: number | null;
}

describe('developers.event.list in a time range while events wait for positions', () => {
  const platform = usePlatform();
  const start = platform.clock.now();
  const at = (minute: number): string => new Date(start.getTime() + minutes(minute)).toISOString();

  /** Stores events as the sequencer leaves them. Those without a position are not pending, so it never takes them. */
  async function store({ live }: TestAccount, groups: readonly Stored[]): Promise<void> {
    const rows = groups.flatMap(({ count, minute, from }) =>
      Array.from({ length: count }, (_, index) => [
        idBytes(newId()),
        idBytes(live.id),
        Buffer.from('account.updated'),
        Buffer.from('account'),
        Buffer.from('x'),
        JSON.stringify({ position: from === null ? null : from + index }),
        null,
        from === null ? null : from + index,
        new Date(start.getTime() + minutes(minute) + index),
      ]),
    );
    await platform.running.services.database.run(
      `INSERT INTO svc_event (id, environment_id, type, subject_type, subject_id, data, pending, position, created_at)
       VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
      rows.flat(),
    );
  }

  type Filter = { since?: string; until?: string };
  /** The positions on the first page, which the test's events have in their data; the same with and without types. */
  async function newestOf({ svc }: TestAccount, filter: Filter): Promise<number[]> {
    const positions = async (types: string[]): Promise<number[]> =>
      (await svc.call('developers.event.list', { ...filter, types, limit: 5 })).events.map(({ data }) =>
        Number(data['position']),
      );
    const [all, ofType] = [await positions([]), await positions(['account.updated'])];
    expect(ofType).to.deep.equal(all);
    return all;
  }

  it('shows none if all of the range wait', async () => {
    const account = await platform.account();
    await store(account, [
      { count: 5, minute: 0, from: 1 },
      { count: 1_200, minute: 10, from: null },
    ]);
    expect(await newestOf(account, { since: at(10) })).to.deep.equal([]);
    expect(await newestOf(account, { since: at(10), until: at(20) })).to.deep.equal([]);
    expect(await newestOf(account, { until: at(20) })).to.deep.equal([5, 4, 3, 2, 1]);
  });

  it('shows the newest that have a position if newer ones wait', async () => {
    const account = await platform.account();
    await store(account, [
      { count: 1_000, minute: 0, from: 1 },
      { count: 3, minute: 10, from: 50_000 },
      { count: 1_000, minute: 20, from: null },
    ]);
    for (const filter of [{ since: at(0) }, { since: at(0), until: at(30) }, { until: at(30) }])
      expect(await newestOf(account, filter)).to.deep.equal([50_002, 50_001, 50_000, 1_000, 999]);
  });

  it('shows those that got a later position than the newest of the range', async () => {
    const account = await platform.account();
    await store(account, [
      { count: 1, minute: 0, from: 50_000 },
      { count: 1_000, minute: 10, from: 1 },
      { count: 1, minute: 30, from: 50_001 },
    ]);
    for (const filter of [{ since: at(0), until: at(20) }, { until: at(20) }])
      expect(await newestOf(account, filter)).to.deep.equal([50_000, 1_000, 999, 998, 997]);
  });

  it('shows the oldest that have a position if the oldest of the range wait', async () => {
    const account = await platform.account();
    await store(account, [
      { count: 1, minute: 0, from: 10_000 },
      { count: 1_000, minute: 10, from: null },
      { count: 2, minute: 20, from: 10_001 },
      { count: 1_000, minute: 30, from: 50_000 },
    ]);
    const found: number[] = [];
    for (let before: string | undefined, more = true; more;) {
      const page = await account.svc.call('developers.event.list', {
        since: at(10),
        limit: 100,
        ...(before === undefined ? {} : { before }),
      });
      found.push(...page.events.map(({ data }) => Number(data['position'])));
      before = page.nextBefore ?? undefined;
      more = before !== undefined;
    }
    expect(found).to.have.length(1_002);
    expect(found.slice(-3)).to.deep.equal([50_000, 10_002, 10_001]);
  });
});
