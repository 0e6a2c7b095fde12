import { expect } from 'chai';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, text } from '#core/kernel/schema/schema.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, lab, newKey, partOf } from './support/lab.js';

/** The first statement of a handler goes to the server together with BEGIN and the claim of the key. */
const take = defineOperation({
  name: 'lab.name.take',
  summary: 'Take a name, and say whether it was free.',
  access: 'secret',
  input: object({ name: text(), strict: boolean() }),
  output: object({ free: boolean() }),
  errors: ['name_taken'],
  example: { input: { name: 'a', strict: false }, output: { free: true } },
  async handle({ name, strict }, { db, fail }) {
    try {
      await db.run('INSERT INTO lab_name (name) VALUES (?)', [name]);
      return { free: true };
    } catch (error) {
      if (!isDuplicate(error, 'name')) throw error;
      if (strict) throw fail.name_taken({ thing: 'name', name });
      return { free: false };
    }
  },
});

describe('The first statement of a handler', () => {
  const platform = usePlatform({ plugins: [lab(take)] });
  before(() =>
    platform.running.services.database.run(
      'CREATE TABLE lab_name (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARBINARY(100) NOT NULL, UNIQUE KEY name (name)) ENGINE=InnoDB',
    ),
  );

  for (const keyed of [true, false]) {
    const options = (): { idempotencyKey?: string } => (keyed ? { idempotencyKey: newKey() } : {});
    describe(keyed ? 'with an Idempotency-Key' : 'without one', () => {
      it('may hit a duplicate that the handler handles', async () => {
        const { svc } = await platform.account();
        const name = newKey();
        const first = await svc.raw('/lab/name/take', JSON.stringify({ name, strict: false }), options());
        const again = options();
        const second = await svc.raw('/lab/name/take', JSON.stringify({ name, strict: false }), again);
        expect([partOf(first.text, 'result'), partOf(second.text, 'result')]).to.deep.equal([
          { free: true },
          { free: false },
        ]);
        const repeat = await svc.raw('/lab/name/take', JSON.stringify({ name, strict: false }), again);
        expect(repeat.text === second.text).to.equal(keyed);
      });

      it('may hit a duplicate that is refused', async () => {
        const { svc } = await platform.account();
        const name = newKey();
        await svc.raw('/lab/name/take', JSON.stringify({ name, strict: true }), options());
        const refused = await svc.raw('/lab/name/take', JSON.stringify({ name, strict: true }), options());
        expect([refused.status, codeOf(refused)]).to.deep.equal([409, 'name_taken']);
      });

      it('waits for a row lock like any other statement, and is not answered idempotency_in_progress', async () => {
        const { svc } = await platform.account();
        const gate = createGate();
        const name = newKey();
        gate.close();
        const holder = platform.running.services.database.transaction(async (db) => {
          await db.run('INSERT INTO lab_name (name) VALUES (?)', [name]);
          await gate.pass();
          throw new Error('taken back');
        });
        const ended = holder.catch(() => undefined);
        await gate.reached(1);
        const waiting = svc.raw('/lab/name/take', JSON.stringify({ name, strict: true }), options());
        await untilWaiting(platform, 1, 'the call to wait for the lock');
        gate.open();
        await ended;
        const answer = await waiting;
        expect([answer.status, answer.status === 200 && partOf(answer.text, 'result')]).to.deep.equal([
          200,
          { free: true },
        ]);
      });
    });
  }

  it('lets exactly one of twenty racers with keys of their own take a name', async () => {
    const { svc } = await platform.account();
    const name = newKey();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        svc.raw('/lab/name/take', JSON.stringify({ name, strict: true }), { idempotencyKey: newKey() }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter((answer) => answer.status === 409).map(codeOf)).to.deep.equal(
      Array.from({ length: 19 }, () => 'name_taken'),
    );
  });
});
