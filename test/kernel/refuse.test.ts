import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import type { Api, RawAnswer } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, createThings, lab, newKey, replayed } from './support/lab.js';

const output = object({ done: boolean() });
const facts = {
  access: 'secret',
  input: object({ refuse: boolean() }),
  output,
  errors: ['limit_reached'],
  example: { input: { refuse: false }, output: { done: true } },
} as const;

const thrown = defineOperation({
  ...facts,
  name: 'lab.refusal.thrown',
  summary: 'Write, then throw a refusal.',
  async handle({ refuse }, { db, fail }) {
    await db.run("INSERT INTO lab_thing (name) VALUES ('thrown')");
    if (refuse) throw fail.limit_reached({ limit: 1, things: 'things', nextStep: 'Remove a thing.' });
    return { done: true };
  },
});

const returned = defineOperation({
  ...facts,
  name: 'lab.refusal.returned',
  summary: 'Write, then return a refusal.',
  async handle({ refuse: refusing }, { db, refuse, audit }) {
    await db.run("INSERT INTO lab_thing (name) VALUES ('returned')");
    audit({ summary: 'Not to be written.' });
    return refusing
      ? refuse.limit_reached({ limit: 1, things: 'things', nextStep: 'Remove a thing.' })
      : { done: true };
  },
});

describe('A refused call', () => {
  const platform = usePlatform({ plugins: [lab(thrown, returned)] });
  before(() => createThings(platform));

  const post = (api: Api, path: string, refuse: boolean, idempotencyKey: string): Promise<RawAnswer> =>
    api.raw(path, JSON.stringify({ refuse }), { idempotencyKey });
  const written = async (): Promise<number[]> =>
    Promise.all(['lab_thing', 'svc_activity', 'svc_event', 'svc_idempotency'].map((table) => platform.count(table)));

  it('writes nothing when the refusal is thrown', async () => {
    const { svc } = await platform.account();
    const before = await written();
    const refused = await post(svc, '/lab/refusal/thrown', true, newKey());
    expect([refused.status, codeOf(refused)]).to.deep.equal([409, 'limit_reached']);
    expect(await written()).to.deep.equal(before);
  });

  it('keeps its rows, and no audit record and no answer, when the refusal is returned', async () => {
    const { svc } = await platform.account();
    const before = await written();
    const refused = await post(svc, '/lab/refusal/returned', true, newKey());
    expect([refused.status, codeOf(refused)]).to.deep.equal([409, 'limit_reached']);
    const [things = 0, ...rest] = before;
    expect(await written()).to.deep.equal([things + 1, ...rest]);
  });

  for (const path of ['/lab/refusal/thrown', '/lab/refusal/returned']) {
    it(`leaves its Idempotency-Key free, also for other input (${path})`, async () => {
      const { svc } = await platform.account();
      const key = newKey();
      expect((await post(svc, path, true, key)).status).to.equal(409);
      expect((await post(svc, path, true, key)).status).to.equal(409);
      const through = await post(svc, path, false, key);
      expect([through.status, replayed(through)]).to.deep.equal([200, false]);
      expect((await post(svc, path, false, key)).text).to.equal(through.text);
    });
  }

  it('counts every one of twenty racers with one key that are refused', async () => {
    const { svc } = await platform.account();
    const key = newKey();
    const things = await platform.count('lab_thing');
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(svc, '/lab/refusal/returned', true, key)));
    const refused = answers.filter((answer) => codeOf(answer) === 'limit_reached');
    const told = answers.filter((answer) => codeOf(answer) === 'idempotency_in_progress');
    expect(refused.length + told.length).to.equal(20);
    expect(await platform.count('lab_thing')).to.equal(things + refused.length);
  });
});
