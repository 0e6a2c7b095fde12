import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { definePort } from '#core/kernel/port.js';
import { provide } from '#core/kernel/provision.js';
import { count, object, text } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';
import { codeOf, createThings, lab, newKey, partOf, replayed } from './support/lab.js';

const gate = createGate();
let outcome: 'sent' | 'fails' | 'refuses' | 'throws a refusal' = 'sent';

/** What finish asks of another product, which must not stand on the connection that the transaction gave back. */
const things = definePort<{ count(): Promise<number> }>('lab.things');

const send = defineOperation({
  name: 'lab.parcel.send',
  summary: 'Write, commit, then call out and answer with the outcome.',
  access: 'secret',
  input: object({}),
  output: object({ state: text(), things: count() }),
  errors: ['name_taken'],
  example: { input: {}, output: { state: 'sent', things: 1 } },
  async handle(_, { db }) {
    await db.run("INSERT INTO lab_thing (name) VALUES ('parcel')");
    return { state: 'queued', things: 0 };
  },
  async finish(reply, { use, fail, refuse }) {
    await gate.pass();
    if (outcome === 'fails') throw new Error('the carrier is away');
    if (outcome === 'refuses') return refuse.name_taken({ thing: 'parcel', name: 'parcel' });
    if (outcome === 'throws a refusal') throw fail.name_taken({ thing: 'parcel', name: 'parcel' });
    return { ...reply, state: 'sent', things: await use(things).count() };
  },
});

const product = definePlugin({
  ...lab(send),
  provides: [
    provide(things, ({ db }) => ({
      count: async () => (await db.rows('SELECT id FROM lab_thing')).length,
    })),
  ],
});

describe('An operation that finishes after its COMMIT', () => {
  const platform = usePlatform({ plugins: [product] });
  const second: { node?: TestNode } = {};
  before(async () => {
    await createThings(platform);
    second.node = await platform.secondNode();
  });
  beforeEach(() => (outcome = 'sent'));
  afterEach(() => gate.open());

  it('answers with the outcome of finish, and a repeat gets the same answer', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    const first = await svc.raw('/lab/parcel/send', '{}', { idempotencyKey });
    expect(partOf(first.text, 'result')).to.include({ state: 'sent' });
    expect(partOf(first.text, 'result')['things']).to.equal(await platform.count('lab_thing'));
    const repeat = await svc.raw('/lab/parcel/send', '{}', { idempotencyKey });
    expect([repeat.text, replayed(repeat)]).to.deep.equal([first.text, true]);
  });

  it('has committed before it calls out, and answers repeats on every node idempotency_in_progress', async () => {
    const { svc, keys } = await platform.account();
    const idempotencyKey = newKey();
    const rows = await platform.count('lab_thing');
    gate.close();
    const first = svc.raw('/lab/parcel/send', '{}', { idempotencyKey });
    await gate.reached(1);
    expect(await platform.count('lab_thing')).to.equal(rows + 1);
    const nodes = [svc, second.node?.as(keys.live.secret)];
    for (const api of nodes) {
      const repeat = await api?.raw('/lab/parcel/send', '{}', { idempotencyKey });
      expect(repeat && [repeat.status, codeOf(repeat)]).to.deep.equal([409, 'idempotency_in_progress']);
      // Its process may have died: nobody waits without end.
      expect(repeat && partOf(repeat.text, 'error')['fix']).to.match(
        /^Wait a second, then repeat .* The answer will be available within ([1-5]?\d|60) seconds?,/,
      );
    }
    gate.open();
    const { text: answer } = await first;
    for (const api of nodes) {
      expect((await api?.raw('/lab/parcel/send', '{}', { idempotencyKey }))?.text).to.equal(answer);
    }
    expect(await platform.count('lab_thing')).to.equal(rows + 1);
  });

  it('answers a repeat with the handler’s reply when finish failed', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    const rows = await platform.count('lab_thing');
    outcome = 'fails';
    expect((await svc.raw('/lab/parcel/send', '{}', { idempotencyKey })).status).to.equal(500);
    const repeat = await svc.raw('/lab/parcel/send', '{}', { idempotencyKey });
    expect(partOf(repeat.text, 'result')).to.include({ state: 'queued' });
    expect(await platform.count('lab_thing')).to.equal(rows + 1);
  });

  for (const refusing of ['refuses', 'throws a refusal'] as const) {
    it(`that ${refusing} after its COMMIT keeps what it committed, and frees its key`, async () => {
      const { svc, live } = await platform.account();
      const idempotencyKey = newKey();
      const rows = await platform.count('lab_thing');
      outcome = refusing;
      const refused = await svc.raw('/lab/parcel/send', '{}', { idempotencyKey });
      expect([refused.status, codeOf(refused)]).to.deep.equal([409, 'name_taken']);
      expect(await platform.count('lab_thing')).to.equal(rows + 1);
      const records = `operation = 'lab.parcel.send' AND environment_id = 0x${idBytes(live.id).toString('hex')}`;
      expect(await platform.count('svc_activity', records)).to.equal(1);
      outcome = 'sent';
      const again = await svc.raw('/lab/parcel/send', '{}', { idempotencyKey });
      expect([again.status, replayed(again), partOf(again.text, 'result')['state']]).to.deep.equal([
        200,
        false,
        'sent',
      ]);
      expect(await platform.count('svc_activity', records)).to.equal(2);
    });
  }

  it('answers a repeat with the handler’s reply once the lease of a crashed call has expired', async () => {
    const { svc, keys } = await platform.account();
    const idempotencyKey = newKey();
    gate.close();
    const crashed = svc.raw('/lab/parcel/send', '{}', { idempotencyKey });
    await gate.reached(1);
    await platform.running.services.database.run('UPDATE svc_idempotency SET lease_until = NOW(3) - INTERVAL 1 SECOND');
    const repeat = await second.node?.as(keys.live.secret).raw('/lab/parcel/send', '{}', { idempotencyKey });
    expect(partOf(repeat?.text ?? '', 'result')).to.include({ state: 'queued' });
    gate.open();
    await crashed;
  });
});
