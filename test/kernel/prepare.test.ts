import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { definePort } from '#core/kernel/port.js';
import { provide } from '#core/kernel/provision.js';
import { boolean, list, object, oneOf, text } from '#core/kernel/schema/schema.js';
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

const things = definePort<{ names(): Promise<string[]>; add(name: string): Promise<void> }>('lab.things');

const find = defineOperation({
  name: 'lab.thing.find',
  summary: 'Read before the transaction opens.',
  access: 'secret',
  input: object({ write: oneOf(['nothing', 'sql', 'port']) }),
  output: object({ names: list(text()) }),
  example: { input: { write: 'nothing' }, output: { names: ['a'] } },
  async prepare({ write }, { db, use }) {
    if (write === 'sql') await db.rows("INSERT INTO lab_thing (name) VALUES ('prepared')");
    if (write === 'port') await use(things).add('prepared');
    const [row] = await db.rows<{ name: string }>('SELECT name FROM lab_thing ORDER BY id LIMIT 1');
    return [...(row ? [row.name] : []), ...(await use(things).names())];
  },
  handle: async (_, { prepared: names }) => ({ names }),
});
const failing = { now: false };

const render = defineOperation({
  name: 'lab.text.render',
  summary: 'Compute what may be computed again for a repeat.',
  access: 'secret',
  prepareOnlyComputes: true,
  input: object({}),
  output: object({ text: text() }),
  errors: ['name_taken'],
  example: { input: {}, output: { text: 'a' } },
  async prepare(_, { fail }) {
    if (failing.now) throw fail.name_taken({ thing: 'text', name: '…' });
    return 'rendered';
  },
  handle: async (_, { prepared: found }) => ({ text: found }),
});

const product = definePlugin({
  ...lab(hash, find, render),
  provides: [
    provide(things, ({ db }) => ({
      names: async () => (await db.rows<{ name: string }>('SELECT name FROM lab_thing')).map(({ name }) => name),
      async add(name) {
        await db.run('INSERT INTO lab_thing (name) VALUES (?)', [name]);
      },
    })),
  ],
});

describe('What an operation prepares', () => {
  const platform = usePlatform({ settings: () => ({ SVC_DATABASE_POOL: '4' }), plugins: [product] });
  before(() => createThings(platform));
  beforeEach(() => (prepared = 0));
  afterEach(() => gate.open());
  const body = (refuse: boolean): string => JSON.stringify({ password: 'p', refuse });

  it('is passed to its handler', async () => {
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

  it('may come from the database and from other products’ ports', async () => {
    const { svc } = await platform.account();
    await platform.running.services.database.run("INSERT INTO lab_thing (name) VALUES ('stored')");
    const answer = await svc.raw('/lab/thing/find', '{"write":"nothing"}');
    expect(partOf(answer.text, 'result')['names']).to.be.an('array').that.includes('stored');
  });

  for (const write of ['sql', 'port']) {
    it(`cannot write: by ${write} it is an internal error`, async () => {
      const { svc } = await platform.account();
      const before = await platform.count('lab_thing');
      expect((await svc.raw('/lab/thing/find', JSON.stringify({ write }))).status).to.equal(500);
      expect(await platform.count('lab_thing')).to.equal(before);
    });
  }

  it('is not prepared again for a replay', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    const first = await svc.raw('/lab/password/hash', body(false), { idempotencyKey });
    const repeat = await svc.raw('/lab/password/hash', body(false), { idempotencyKey });
    expect([repeat.text, replayed(repeat), prepared]).to.deep.equal([first.text, true, 1]);
  });

  it('may fail for a repeat on another node: the stored answer counts', async () => {
    const { svc, keys } = await platform.account();
    const idempotencyKey = newKey();
    const first = await svc.raw('/lab/text/render', '{}', { idempotencyKey });
    failing.now = true;
    try {
      const node = await platform.secondNode();
      const repeat = await node.as(keys.live.secret).raw('/lab/text/render', '{}', { idempotencyKey });
      expect([repeat.text, replayed(repeat)]).to.deep.equal([first.text, true]);
      expect(codeOf(await svc.raw('/lab/text/render', '{}', { idempotencyKey: newKey() }))).to.equal('name_taken');
    } finally {
      failing.now = false;
    }
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
