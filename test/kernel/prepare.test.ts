import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, text } from '#core/kernel/schema/schema.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, createThings, lab, newKey, partOf, replayed } from './support/lab.js';

const gate = createGate();
let prepared = 0;

const hash = defineOperation({
  name: 'lab.password.hash',
  summary: 'Compute before the transaction opens.',
  access: 'secret',
  input: object({ password: text(), refuse: boolean() }),
  output: object({ hash: text() }),
  errors: ['name_taken'],
  example: { input: { password: 'p', refuse: false }, output: { hash: 'h' } },
  async prepare({ password, refuse }, { fail }) {
    prepared += 1;
    await gate.pass();
    if (refuse) throw fail.name_taken({ thing: 'password', name: '…' });
    return `hash of ${password}`;
  },
  async handle(_, { db, prepared: found }) {
    await db.run('INSERT INTO lab_thing (name) VALUES (?)', [found]);
    return { hash: found };
  },
});

describe('What an operation prepares', () => {
  const platform = usePlatform({ settings: () => ({ SVC_DATABASE_POOL: '4' }), plugins: [lab(hash)] });
  before(() => createThings(platform));
  beforeEach(() => (prepared = 0));
  afterEach(() => gate.open());
  const body = (refuse: boolean): string => JSON.stringify({ password: 'p', refuse });

  it('is there for its handler', async () => {
    const { svc } = await platform.account();
    const answer = await svc.raw('/lab/password/hash', body(false));
    expect(partOf(answer.text, 'result')).to.deep.equal({ hash: 'hash of p' });
  });

  it('holds no database connection: many more calls prepare at once than there are connections', async () => {
    const { svc } = await platform.account();
    gate.close();
    const calls = Array.from({ length: 20 }, () =>
      svc.raw('/lab/password/hash', body(false), { idempotencyKey: newKey() }),
    );
    await gate.reached(20);
    expect((await svc.raw('/account/get', '{}')).status).to.equal(200);
    gate.open();
    expect((await Promise.all(calls)).map(({ status }) => status)).to.deep.equal(calls.map(() => 200));
  });

  it('is not prepared again for a replay', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    const first = await svc.raw('/lab/password/hash', body(false), { idempotencyKey });
    const repeat = await svc.raw('/lab/password/hash', body(false), { idempotencyKey });
    expect([repeat.text, replayed(repeat), prepared]).to.deep.equal([first.text, true, 1]);
  });

  it('keeps its key claimed on this node meanwhile, and free when it is refused', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    gate.close();
    const first = svc.raw('/lab/password/hash', body(true), { idempotencyKey });
    await gate.reached(1);
    expect(codeOf(await svc.raw('/lab/password/hash', body(true), { idempotencyKey }))).to.equal(
      'idempotency_in_progress',
    );
    gate.open();
    expect(codeOf(await first)).to.equal('name_taken');
    expect((await svc.raw('/lab/password/hash', body(false), { idempotencyKey })).status).to.equal(200);
  });
});
