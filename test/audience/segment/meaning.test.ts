import { expect } from 'chai';
import { idText } from '#core/runtime/id.js';
import type { Moment } from '#plugins/audience/segments/compile.js';
import { compiled, segmentCondition } from '#plugins/audience/segments/compile.js';
import { newest, newestIds, planned, sizeOf } from '#plugins/audience/segments/planner.js';
import { parseDefinition } from '#plugins/audience/segments/parse.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { everyLeaf, someTree } from './definitions.js';
import { matches, type Definition } from './interpreter.js';
import { populate, type Person } from './people.js';
import { seeded } from './random.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? 20261121);

/** Every definition is asked of svc and of an interpreter that knows nothing of SQL. */
describe('What a segment’s definition means', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const random = seeded(seed);
  const world: { account?: TestAccount; people: Person[]; times: string[] } = { people: [], times: [] };

  before(async () => {
    world.account = await platform.account();
    world.people = await populate(platform, world.account, random, 200);
    const created = world.people.map(({ createdAt }) => createdAt.toISOString());
    const events = world.people.flatMap(({ events: each, lastSentAt }) => [
      ...Object.values(each).map(({ lastAt }) => lastAt.toISOString()),
      ...(lastSentAt ? [lastSentAt.toISOString()] : []),
    ]);
    world.times = [created[40] ?? '', events[3] ?? '', events[70] ?? '', '2020-01-01T00:00:00+01:00'];
  });

  const moment = (): Moment => ({ environmentId: world.account?.live.id ?? '', now: platform.clock.now() });
  const db = () => platform.running.services.database;

  /** Newest first: ids are in the order of their making. */
  const expected = (definition: Definition): string[] =>
    world.people
      .filter((person) => matches(definition, person, platform.clock.now()))
      .map(({ id }) => id)
      .sort()
      .reverse();

  async function byCondition(definition: Definition): Promise<string[]> {
    const { environmentId, now } = moment();
    const { sql, parameters } = segmentCondition(definition, environmentId, now);
    const rows = await db().rows<{ id: Buffer }>(
      `SELECT c.id FROM audience_contact c WHERE c.environment_id = ? AND (${sql}) ORDER BY c.id DESC`,
      [Buffer.from(environmentId.replaceAll('-', ''), 'hex'), ...parameters],
    );
    return rows.map(({ id }) => idText(id));
  }

  it('is the same for every field with every operator, of people who match and of people who do not', async () => {
    const leaves = everyLeaf(world.times);
    let [some, none, all] = [0, 0, 0];
    for (const leaf of leaves) {
      const wanted = expected(leaf);
      expect(await byCondition(leaf), JSON.stringify(leaf)).to.deep.equal(wanted);
      expect(await byCondition({ not: leaf }), `not ${JSON.stringify(leaf)}`).to.deep.equal(expected({ not: leaf }));
      if (wanted.length === 0) none += 1;
      else if (wanted.length === world.people.length) all += 1;
      else some += 1;
    }
    // A test in which conditions mostly match nobody or everybody would show little.
    expect(some, `${some} of ${leaves.length}; none ${none}, all ${all}`).to.be.greaterThan(leaves.length / 2);
  });

  it('is the same for trees of any shape, however they are found', async () => {
    const leaves = everyLeaf(world.times);
    let [gatherings, unions, ordered] = [0, 0, 0];
    for (let round = 0; round < 250; round += 1) {
      const definition = someTree(random, leaves, 5);
      const words = `seed ${seed}, round ${round}: ${JSON.stringify(definition)}`;
      const wanted = expected(definition);
      const tree = parseDefinition(definition);
      expect(await byCondition(definition), words).to.deep.equal(wanted);
      // Short stretches: the walk is judged, and what is left is found in another way.
      const found = await newestIds(db(), tree, moment(), { limit: 1_000, stretch: 7 });
      expect(found.map(idText), words).to.deep.equal(wanted);
      expect(await sizeOf(db(), tree, moment()), words).to.equal(wanted.length);
      expect(await sizeOf(db(), tree, moment(), 0), words).to.equal(wanted.length);
      const { tree: weighed } = await planned(db(), tree, moment());
      for (const begin of new Set([weighed.begin, weighed.ordered])) {
        if (!begin) continue;
        const gathered = await newest(db(), { begin, node: weighed.node }, moment(), {}, 1_000);
        expect(gathered.map(idText), `gathered, ${words}`).to.deep.equal(wanted);
        gatherings += 1;
        if (!begin.single) unions += 1;
        if (begin.ordered) ordered += 1;
      }
    }
    expect(gatherings).to.be.greaterThan(50);
    expect(unions).to.be.greaterThan(5);
    expect(ordered).to.be.greaterThan(5);
  });

  it('pages alike in every way, each contact once and newest first', async () => {
    const leaves = everyLeaf(world.times);
    for (let round = 0; round < 40; round += 1) {
      const definition = someTree(random, leaves, 4);
      const tree = parseDefinition(definition);
      const pages: string[] = [];
      for (let before: Buffer | undefined; ;) {
        const page: Buffer[] = await newestIds(db(), tree, moment(), { before, limit: 9, stretch: round % 2 ? 5 : 20 });
        pages.push(...page.map(idText));
        before = page.at(-1);
        if (page.length < 9) break;
      }
      expect(pages, `seed ${seed}: ${JSON.stringify(definition)}`).to.deep.equal(expected(definition));
    }
  });

  it('is one statement with placeholders: nothing of a definition stands in its text', () => {
    const value = "x' OR 1=1 -- %_\\";
    const fields = ['email', 'phone', 'locale', `properties.${value}`, 'event.a-b.c.count', 'consent.news'];
    for (const field of fields) {
      const op = field.startsWith('properties') ? 'starts_with' : 'exists';
      const { sql } = segmentCondition(
        op === 'exists' ? { field, op } : { field, op, value },
        moment().environmentId,
        moment().now,
      );
      expect(sql).not.to.contain('OR 1=1');
      expect(sql).not.to.contain('a-b.c');
      expect(sql).not.to.contain('news');
    }
  });

  it('asks of one value once, however many conditions are about it', () => {
    const range = [
      { field: 'properties.order.total', op: 'gte', value: 1 },
      { field: 'properties.order.total', op: 'lt', value: 10 },
      { field: 'properties.order.total', op: 'neq', value: 3 },
    ];
    expect(compiled(parseDefinition({ all: range }), moment())).to.include({ is: 'cell' });
    expect(compiled(parseDefinition({ not: { any: range } }), moment())).to.include({ is: 'cell' });
  });

  it('never mixes two environments', async () => {
    const other = world.account?.svcTest;
    await other?.call('audience.contact.upsert', { email: 'other@example.com', properties: { plan: 'pro' } });
    for (const definition of [
      { field: 'properties.plan', op: 'eq', value: 'pro' },
      { field: 'properties.plan', op: 'neq', value: 'pro' },
      { field: 'email', op: 'exists' },
      { not: { field: 'event.order.placed.count', op: 'gt', value: 0 } },
    ]) {
      const preview = await other?.call('audience.segment.preview', { definition });
      const here = await world.account?.svc.call('audience.segment.preview', { definition, sample: 0 });
      expect(here?.size).to.equal(expected(definition).length);
      expect(preview?.size).to.equal(matches(definition, lone, platform.clock.now()) ? 1 : 0);
      expect(preview?.sample.every(({ email }) => email === 'other@example.com')).to.equal(true);
    }
  });
});

/** The only contact of the other environment. */
const lone: Person = {
  id: '',
  email: 'other@example.com',
  phone: null,
  locale: null,
  createdAt: new Date(0),
  properties: { plan: 'pro' },
  consents: {},
  events: {},
  lastSentAt: null,
};
