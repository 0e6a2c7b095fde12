import { expect } from 'chai';
import { EntitySchema } from 'typeorm';
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { boolean, object, oneOf, text } from '#core/kernel/schema/schema.js';
import { exactColumn, primary } from '#core/runtime/database/columns.js';
import { usePlatform } from '#test/support/platform.js';
import { createThings, lab, partOf } from '#test/kernel/support/lab.js';

const things = new EntitySchema<{ secret: string }>({
  name: 'lab_narrow',
  columns: { secret: primary(exactColumn(5)) },
});
const ways = ['plain', 'too long', 'duplicate', 'syntax', 'entity', 'thrown', 'cause'] as const;

/** What does not fit into its column is the caller’s to change. */
const refused: ReadonlySet<string> = new Set(['too long', 'entity']);

const fail = defineOperation({
  name: 'lab.log.fail',
  summary: 'Fail in many ways, a secret in hand.',
  access: 'secret',
  input: object({ way: oneOf(ways), password: text(), note: text() }),
  output: object({ done: boolean() }),
  example: { input: { way: 'plain', password: 'p', note: 'n' }, output: { done: true } },
  async handle({ way, password, note }, { db }) {
    const secret = `${password}${note}`;
    if (way === 'too long') await db.run('INSERT INTO lab_thing (name) VALUES (?)', [secret.padEnd(400, '.')]);
    if (way === 'duplicate') await db.run('INSERT INTO lab_secret (name) VALUES (?), (?)', [secret, secret]);
    if (way === 'syntax') await db.run('INSERT INTO lab_thing nonsense (name) VALUES (?)', [secret]);
    // TypeORM's own errors carry the values, as bytes.
    if (way === 'entity') await db.insert(things, { secret });
    if (way === 'thrown') throw Object.assign(new Error('something broke'), { password, input: { note: secret } });
    if (way === 'cause') throw new Error('something broke', { cause: Object.assign(new Error('deep'), { secret }) });
    return { done: true };
  },
});

const product = definePlugin({
  ...lab(fail),
  tables: [things],
  async setUp({ database }) {
    await database.run('CREATE TABLE lab_narrow (secret VARBINARY(5) NOT NULL PRIMARY KEY)');
  },
});

describe('The log', () => {
  const platform = usePlatform({ plugins: [product] });
  before(async () => {
    await createThings(platform);
    const { database } = platform.running.services;
    await database.run('CREATE TABLE lab_secret (name VARCHAR(200) NOT NULL UNIQUE)');
  });

  for (const way of ways) {
    it(`holds neither key nor password nor input of a call that fails: ${way}`, async () => {
      const { svc, keys } = await platform.account();
      const password = `canary-${way.replace(' ', '-')}-pass`;
      const note = `canary-${way.replace(' ', '-')}-note`;
      const before = platform.logLines.length;
      const answer = await svc.raw('/lab/log/fail', JSON.stringify({ way, password, note }), {
        idempotencyKey: 'canary-key',
      });
      expect(answer.status).to.equal(way === 'plain' ? 200 : refused.has(way) ? 400 : 500);
      const lines = platform.logLines.slice(before);
      expect(lines.length).to.be.greaterThan(0);
      const log = lines.join('');
      for (const canary of [password, note, keys.live.secret, keys.live.secret.slice(9)]) {
        expect(log).to.not.contain(canary);
        expect(log).to.not.contain([...Buffer.from(canary)].join());
        expect(answer.text).to.not.contain(canary);
      }
    });
  }

  it('contains the cause of every internal error with the requestId of the answer', async () => {
    const { svc } = await platform.account();
    const input = JSON.stringify({ way: 'syntax', password: 'p', note: 'n' });
    const answer = await svc.raw('/lab/log/fail', input);
    expect(answer.status).to.equal(500);
    const { code, message, requestId } = partOf(answer.text, 'error');
    expect([code, message]).to.deep.equal(['internal_error', 'The server failed. This is our fault.']);
    const line =
      platform.logLines.find((each) => each.includes(String(requestId)) && each.includes('"level":"error"')) ?? '{}';
    const logged: unknown = JSON.parse(line);
    expect(logged).to.nested.include({ msg: 'a request failed', requestId, 'err.errno': 1064 });
    expect(line).to.contain('INSERT INTO lab_thing');
  });

  it('holds no secret key that was wrong, unknown, or in the wrong place', async () => {
    const key = `svc_live_${'Canary'.repeat(8).slice(0, 43)}`;
    await platform.api.raw('/account/get', '{}', { key });
    await platform.api.raw(`/account/get?key=${key}`, '{}');
    await platform.api.raw('/account/get', JSON.stringify({ key }));
    await platform.api.raw('/account/get', '{}', { headers: { Authorization: `Basic ${key}`, 'X-Api-Key': key } });
    expect(platform.logLines.join('')).to.not.contain(key);
  });

  it('has a line for each refusal, and counts those of a flood of unknown callers instead', async () => {
    const before = platform.logLines.length;
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const answer = await fetch(`${platform.running.address}/lab/log/fail`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Number': String(index) },
          body: '{}',
        });
        return answer.status;
      }),
    );
    expect(new Set(statuses)).to.deep.equal(new Set([401]));
    const refused = (): string[] => platform.logLines.slice(before).filter((line) => line.includes('"msg":"refused"'));
    expect(refused()).to.have.length.within(1, 100);
    // The refusals of callers who are known keep their lines.
    const { svc } = await platform.account();
    const answer = await svc.raw('/lab/log/fail', '{}');
    const { requestId } = partOf(answer.text, 'error');
    expect(refused().filter((line) => line.includes(String(requestId)))).to.have.length(1);
  });
});
