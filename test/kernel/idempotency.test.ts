import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, text } from '#core/kernel/schema/schema.js';
import type { Api, RawAnswer } from '#test/support/api.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';
import { codeOf, createThings, lab, newKey, replayed } from './support/lab.js';

const gate = createGate();

const make = defineOperation({
  name: 'lab.thing.make',
  summary: 'Write a row.',
  access: 'secret',
  input: object({ name: text() }),
  output: object({ number: count(), name: text() }),
  example: { input: { name: 'a' }, output: { number: 1, name: 'a' } },
  async handle({ name }, { db }) {
    const { insertId } = await db.run('INSERT INTO lab_thing (name) VALUES (?)', [name]);
    await gate.pass();
    return { number: insertId, name };
  },
});

describe('Idempotency-Key: the same key twenty times at once', () => {
  const platform = usePlatform({ plugins: [lab(make)] });
  const second: { node?: TestNode } = {};
  before(async () => {
    await createThings(platform);
    second.node = await platform.secondNode();
  });
  afterEach(() => gate.open());

  const things = (name: string): Promise<number> => platform.count('lab_thing', `name = '${name}'`);
  const post = (api: Api, name: string, idempotencyKey: string): Promise<RawAnswer> =>
    api.raw('/lab/thing/make', JSON.stringify({ name }), { idempotencyKey });

  /** Twenty calls, of which one is held in its handler: the others must be answered while it still is. */
  async function raceHeld(apis: readonly Api[], name: string): Promise<void> {
    const key = newKey();
    const answered: RawAnswer[] = [];
    gate.close();
    const calls = Array.from({ length: 20 }, async (_, index) => {
      const api = apis[index % apis.length];
      if (api) answered.push(await post(api, name, key));
    });
    await gate.reached(1);
    // Less than any wait for a lock would take.
    await eventually(() => answered.length === 19, 'nineteen answers while the twentieth call still runs', 4_000);
    expect(answered.map((answer) => [answer.status, codeOf(answer)])).to.deep.equal(
      Array.from({ length: 19 }, () => [409, 'idempotency_in_progress']),
    );
    gate.open();
    await Promise.all(calls);
    const first = answered.at(-1);
    expect(first?.status).to.equal(200);
    expect(await things(name)).to.equal(1);
    for (const api of apis) {
      const repeat = await post(api, name, key);
      expect(repeat.text).to.equal(first?.text);
      expect(replayed(repeat)).to.equal(true);
    }
  }

  it('runs once on one node, and no call waits', async () => {
    const { svc } = await platform.account();
    await raceHeld([svc], 'one node');
  });

  it('runs once on two nodes, and no call waits', async () => {
    const { svc, keys } = await platform.account();
    if (second.node) await raceHeld([svc, second.node.as(keys.live.secret)], 'two nodes');
  });

  it('runs once without a gate: each racer gets the same answer or idempotency_in_progress', async () => {
    const { svc, keys } = await platform.account();
    const other = second.node?.as(keys.live.secret) ?? svc;
    for (const round of ['a', 'b', 'c', 'd']) {
      const key = newKey();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => post(index % 2 === 0 ? svc : other, round, key)),
      );
      const bodies = answers.filter((answer) => answer.status === 200).map((answer) => answer.text);
      const refused = answers.filter((answer) => answer.status !== 200).map(codeOf);
      expect(new Set(bodies).size).to.equal(1);
      expect(refused.every((code) => code === 'idempotency_in_progress')).to.equal(true);
      expect(answers.filter((answer) => answer.status === 200 && !replayed(answer))).to.have.length(1);
      expect(await things(round)).to.equal(1);
    }
  });

  it('gives every repeat of a finished call its answer, however many come at once', async () => {
    const { svc } = await platform.account();
    const key = newKey();
    const first = await post(svc, 'finished', key);
    const repeats = await Promise.all(Array.from({ length: 20 }, () => post(svc, 'finished', key)));
    expect(repeats.map((repeat) => [repeat.status, repeat.text, replayed(repeat)])).to.deep.equal(
      repeats.map(() => [200, first.text, true]),
    );
  });

  it('keeps different keys independent', async () => {
    const { svc, keys } = await platform.account();
    const other = second.node?.as(keys.live.secret) ?? svc;
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) => post(index % 2 === 0 ? svc : other, 'different', newKey())),
      );
      expect(answers.map((answer) => answer.status)).to.deep.equal(answers.map(() => 200));
    }
    expect(await things('different')).to.equal(180);
  });

  it('writes neither row nor audit record for a repeat', async () => {
    const { svc } = await platform.account();
    const key = newKey();
    const first = await post(svc, 'audited', key);
    const activities = await platform.count('svc_activity');
    const repeat = await post(svc, 'audited', key);
    expect(replayed(first)).to.equal(false);
    expect(repeat.text).to.equal(first.text);
    expect(await things('audited')).to.equal(1);
    expect(await platform.count('svc_activity')).to.equal(activities);
  });

  it('frees the key of a call that failed half-way', async () => {
    const { svc } = await platform.account();
    const key = newKey();
    const failed = await post(svc, 'x'.repeat(301), key);
    expect(failed.status).to.equal(400);
    expect((await post(svc, 'x', key)).status).to.equal(200);
  });
});
