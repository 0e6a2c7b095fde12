import { expect } from 'chai';
import { idText } from '#core/runtime/id.js';
import { candidatesFrom, fromCandidates, type Candidates } from '#plugins/audience/segments/candidates.js';
import { compile, nodeCondition, type Scope } from '#plugins/audience/segments/compile.js';
import { countMatches, estimateTree, fetchNewest, newestIds } from '#plugins/audience/segments/planner.js';
import { parseDefinition } from '#plugins/audience/segments/parse.js';
import { contactsAfter } from '#plugins/audience/eligibility/eligible-recipients.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { everyCondition, randomTree } from './definitions.js';
import { matches, type Definition } from './interpreter.js';
import { populate, type Person } from './people.js';
import { seeded } from './random.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? 20261121);

/** Every definition is evaluated by svc and by an interpreter that uses no SQL. */
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

  const scope = (): Scope => ({ environmentId: world.account?.live.id ?? '', now: platform.clock.now() });
  const db = () => platform.running.services.database;

  /** Newest first: ids are in the order of creation. */
  const expected = (definition: Definition): string[] =>
    world.people
      .filter((person) => matches(definition, person, platform.clock.now()))
      .map(({ id }) => id)
      .sort()
      .reverse();

  const conditionOf = (definition: Definition) => nodeCondition(compile(parseDefinition(definition), scope()), 'c.id');

  /** The matches as work in batches finds them, newest first. */
  async function inBatches(candidates: Candidates, size: number): Promise<string[]> {
    const { environmentId } = scope();
    const found: string[] = [];
    for (let after: string | null = null; ;) {
      const range = await contactsAfter(db(), environmentId, candidates, after, size);
      if (!range) return found.reverse();
      const { sql, parameters } = fromCandidates(environmentId, candidates, range);
      const rows = await db().rows<{ id: Buffer }>(`SELECT c.id ${sql} ORDER BY c.id`, parameters);
      found.push(...rows.map(({ id }) => idText(id)));
      after = range.upTo;
    }
  }

  async function byCondition(definition: Definition): Promise<string[]> {
    const { environmentId } = scope();
    const { sql, parameters } = conditionOf(definition);
    const rows = await db().rows<{ id: Buffer }>(
      `SELECT c.id FROM audience_contact c WHERE c.environment_id = ? AND (${sql}) ORDER BY c.id DESC`,
      [Buffer.from(environmentId.replaceAll('-', ''), 'hex'), ...parameters],
    );
    return rows.map(({ id }) => idText(id));
  }

  it('is correct for every field with every operator, and for its negation', async () => {
    const conditions = everyCondition(world.times);
    let [some, none, all] = [0, 0, 0];
    for (const condition of conditions) {
      const wanted = expected(condition);
      expect(await byCondition(condition), JSON.stringify(condition)).to.deep.equal(wanted);
      expect(await byCondition({ not: condition }), `not ${JSON.stringify(condition)}`).to.deep.equal(
        expected({ not: condition }),
      );
      if (wanted.length === 0) none += 1;
      else if (wanted.length === world.people.length) all += 1;
      else some += 1;
    }
    // Most conditions must match some contacts and not others, or the test would prove little.
    expect(some, `${some} of ${conditions.length}; none ${none}, all ${all}`).to.be.greaterThan(conditions.length / 2);
  });

  it('is correct for random trees, with full scans and index scans', async () => {
    const conditions = everyCondition(world.times);
    let [scans, unions, ordered] = [0, 0, 0];
    for (let round = 0; round < 250; round += 1) {
      const definition = randomTree(random, conditions, 5);
      const words = `seed ${seed}, round ${round}: ${JSON.stringify(definition)}`;
      const wanted = expected(definition);
      const tree = parseDefinition(definition);
      expect(await byCondition(definition), words).to.deep.equal(wanted);
      // A small probe, so that the plan for the rest is chosen by its result.
      const found = await newestIds(db(), tree, scope(), { limit: 1_000, probeSize: 7 });
      expect(found.map(idText), words).to.deep.equal(wanted);
      expect(await countMatches(db(), tree, scope()), words).to.equal(wanted.length);
      expect(await countMatches(db(), tree, scope(), 0), words).to.equal(wanted.length);
      const { estimate } = await estimateTree(db(), tree, scope());
      for (const scan of new Set([estimate.scan, estimate.orderedScan])) {
        if (!scan) continue;
        const scanned = await fetchNewest(db(), { scan, node: estimate.node }, scope(), {}, 1_000);
        expect(scanned.map(idText), `index scan, ${words}`).to.deep.equal(wanted);
        const batches = await inBatches(candidatesFrom(estimate.node, scan), 30);
        expect(batches, `in batches, ${words}`).to.deep.equal(wanted);
        scans += 1;
        if (!scan.isDistinct) unions += 1;
        if (scan.ordered) ordered += 1;
      }
    }
    expect(scans).to.be.greaterThan(50);
    expect(unions).to.be.greaterThan(5);
    expect(ordered).to.be.greaterThan(5);
  });

  it('pages through each match once, newest first, with every plan', async () => {
    const conditions = everyCondition(world.times);
    for (let round = 0; round < 40; round += 1) {
      const definition = randomTree(random, conditions, 4);
      const tree = parseDefinition(definition);
      const pages: string[] = [];
      for (let before: Buffer | undefined; ;) {
        const page: Buffer[] = await newestIds(db(), tree, scope(), {
          before,
          limit: 9,
          probeSize: round % 2 ? 5 : 20,
        });
        pages.push(...page.map(idText));
        before = page.at(-1);
        if (page.length < 9) break;
      }
      expect(pages, `seed ${seed}: ${JSON.stringify(definition)}`).to.deep.equal(expected(definition));
    }
  });

  it('is one statement with placeholders: no value of a definition is part of its text', () => {
    const value = "x' OR 1=1 -- %_\\";
    const fields = ['email', 'phone', 'locale', `properties.${value}`, 'event.a-b.c.count', 'consent.news'];
    for (const field of fields) {
      const op = field.startsWith('properties') ? 'starts_with' : 'exists';
      const { sql } = conditionOf(op === 'exists' ? { field, op } : { field, op, value });
      expect(sql).not.to.contain('OR 1=1');
      expect(sql).not.to.contain('a-b.c');
      expect(sql).not.to.contain('news');
    }
  });

  it('reads a value once for several conditions on it', () => {
    const range = [
      { field: 'properties.order.total', op: 'gte', value: 1 },
      { field: 'properties.order.total', op: 'lt', value: 10 },
      { field: 'properties.order.total', op: 'neq', value: 3 },
    ];
    expect(compile(parseDefinition({ all: range }), scope())).to.include({ is: 'comparison' });
    expect(compile(parseDefinition({ not: { any: range } }), scope())).to.include({ is: 'comparison' });
  });

  it('never matches contacts of another environment', async () => {
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
