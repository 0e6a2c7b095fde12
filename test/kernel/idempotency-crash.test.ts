import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object } from '#core/kernel/schema/schema.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { proxyBefore, type TcpProxy } from '#test/support/tcp-proxy.js';
import { codeOf, createThings, lab, newKey, partOf, replayed } from './support/lab.js';
import { skipOnVitess } from '#test/support/vitess.js';

const gate = createGate();

const make = defineOperation({
  name: 'lab.thing.make',
  summary: 'Write a row and say on which connection.',
  access: 'secret',
  input: object({}),
  output: object({ number: count(), connection: count() }),
  example: { input: {}, output: { number: 1, connection: 1 } },
  async handle(_, { db }) {
    const { insertId } = await db.run("INSERT INTO lab_thing (name) VALUES ('thing')");
    const [row] = await db.rows<{ id: number }>('SELECT CONNECTION_ID() AS id');
    connection = row?.id ?? 0;
    await gate.pass();
    return { number: insertId, connection };
  },
});

let connection = 0;

describe('A connection that breaks during a call', () => {
  const parts: { proxy?: TcpProxy } = {};
  const platform = usePlatform({
    plugins: [lab(make)],
    databaseUrl: async (given) => {
      const { proxy, url } = await proxyBefore(given);
      parts.proxy = proxy;
      return url;
    },
  });
  before(() => createThings(platform));
  afterEach(() => {
    gate.open();
    parts.proxy?.restore();
    parts.proxy?.onSent(() => undefined);
  });
  after(() => parts.proxy?.close());

  /** Breaks the connection of the next call while it commits. @param then after the server has answered the COMMIT */
  function atNextCommit(how: 'the COMMIT is lost' | 'its answer is lost', then?: () => void): { broke: () => boolean } {
    let broken = false;
    parts.proxy?.onSent((bytes, link) => {
      const sent = bytes.toString('latin1');
      if (broken || !sent.includes('svc_activity') || !sent.includes('COMMIT')) return;
      broken = true;
      if (how === 'the COMMIT is lost') link.cut();
      else link.loseAnswer(then);
    });
    return { broke: () => broken };
  }

  for (const how of ['the COMMIT is lost', 'its answer is lost'] as const) {
    for (const withKey of [true, false]) {
      it(`writes once when ${how}, ${withKey ? 'with' : 'without'} an Idempotency-Key`, async () => {
        const { svc } = await platform.account();
        const rows = await platform.count('lab_thing');
        const activities = await platform.count('svc_activity');
        const key = withKey ? { idempotencyKey: newKey() } : {};
        const { broke } = atNextCommit(how);
        const answer = await svc.raw('/lab/thing/make', '{}', key);
        expect([answer.status, broke()]).to.deep.equal([200, true]);
        expect(await platform.count('lab_thing')).to.equal(rows + 1);
        expect(await platform.count('svc_activity')).to.equal(activities + 1);
        expect(await platform.count('lab_thing', `id = ${String(partOf(answer.text, 'result')['number'])}`)).to.equal(
          1,
        );
        if (withKey) expect((await svc.raw('/lab/thing/make', '{}', key)).text).to.equal(answer.text);
      });
    }
  }

  for (const withKey of [true, false]) {
    it(`does not run again while it is unknown whether it committed, ${withKey ? 'with' : 'without'} a key`, async () => {
      const { svc } = await platform.account();
      const rows = await platform.count('lab_thing');
      const key = withKey ? { idempotencyKey: newKey() } : {};
      const { broke } = atNextCommit('its answer is lost', () => parts.proxy?.sever());
      const answer = await svc.raw('/lab/thing/make', '{}', key);
      expect([answer.status, codeOf(answer), broke()]).to.deep.equal([503, 'unavailable', true]);
      parts.proxy?.restore();
      if (withKey) {
        const repeat = await svc.raw('/lab/thing/make', '{}', key);
        expect([repeat.status, replayed(repeat)]).to.deep.equal([200, true]);
      }
      expect(await platform.count('lab_thing')).to.equal(rows + 1);
    });
  }

  it('checks again whether the COMMIT succeeded when the first check met a broken connection', async () => {
    const { svc } = await platform.account();
    const rows = await platform.count('lab_thing');
    const { broke } = atNextCommit('its answer is lost', () => parts.proxy?.stumble(1));
    const answer = await svc.raw('/lab/thing/make', '{}');
    expect([answer.status, broke()]).to.deep.equal([200, true]);
    expect(await platform.count('lab_thing')).to.equal(rows + 1);
  });

  it('runs a call again whose connection was killed half-way, and writes once', async function () {
    skipOnVitess(this, 'KILL');
    const { svc } = await platform.account();
    const rows = await platform.count('lab_thing');
    gate.close();
    const call = svc.raw('/lab/thing/make', '{}', { idempotencyKey: newKey() });
    await gate.reached(1);
    const killed = connection;
    await platform.running.services.database.run(`KILL CONNECTION ${killed}`);
    gate.open();
    const answer = await call;
    expect(answer.status).to.equal(200);
    expect(partOf(answer.text, 'result')['connection']).to.not.equal(killed);
    expect(await platform.count('lab_thing')).to.equal(rows + 1);
  });

  it('answers 503 while the database is away, and serves again when it is back', async () => {
    const { svc } = await platform.account();
    parts.proxy?.sever();
    const began = Date.now();
    const away = await svc.raw('/lab/thing/make', '{}', { idempotencyKey: newKey() });
    expect([away.status, codeOf(away)]).to.deep.equal([503, 'unavailable']);
    expect(Date.now() - began).to.be.lessThan(4_000);
    parts.proxy?.restore();
    expect((await svc.raw('/lab/thing/make', '{}', { idempotencyKey: newKey() })).status).to.equal(200);
  });
});
