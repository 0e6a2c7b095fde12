import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { RetryTransaction } from '#core/runtime/database/errors.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, createThings, lab, newKey, partOf } from './support/lab.js';

let tries = 0;
let tooMany = Infinity;

const contended = defineOperation({
  name: 'lab.thing.contend',
  summary: 'Write, and meet somebody who is in the way.',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({}),
  output: object({ done: boolean() }),
  example: { input: {}, output: { done: true } },
  async handle(_input, { db }) {
    tries += 1;
    await db.run("INSERT INTO lab_thing (name) VALUES ('contended')");
    if (tries < tooMany) throw new RetryTransaction('Somebody else was first.');
    return { done: true };
  },
});

describe('A call that conflicts with others', () => {
  const platform = usePlatform({ plugins: [lab(contended)] });
  before(() => createThings(platform));
  beforeEach(() => {
    tries = 0;
  });

  it('is tried three times, then answered 503: nothing was written, and a repeat is a new call', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    tooMany = Infinity;
    const refused = await svc.raw('/lab/thing/contend', '{}', { idempotencyKey });
    expect([refused.status, codeOf(refused), tries]).to.deep.equal([503, 'unavailable', 3]);
    expect(partOf(refused.text, 'error')['fix']).to.contain('same Idempotency-Key');
    expect(await platform.count('lab_thing')).to.equal(0);
    tooMany = 0;
    expect((await svc.raw('/lab/thing/contend', '{}', { idempotencyKey })).status).to.equal(200);
    expect(await platform.count('lab_thing')).to.equal(1);
  });

  it('is answered as usual when the third try succeeds', async () => {
    const { svc } = await platform.account();
    const before = await platform.count('lab_thing');
    tooMany = 3;
    expect((await svc.raw('/lab/thing/contend', '{}')).status).to.equal(200);
    expect([tries, await platform.count('lab_thing')]).to.deep.equal([3, before + 1]);
  });
});
