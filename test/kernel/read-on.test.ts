import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { boolean, count, list, object } from '#core/kernel/schema/schema.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { lab, partOf } from './support/lab.js';

const gate = createGate();

/** The pages that were read, by the cursor that they begin after. */
const read: number[] = [];

/** A list of which only every `first`-th page has a row. */
const numbers = defineOperation({
  name: 'lab.number.list',
  summary: 'List numbers.',
  access: 'secret',
  permission: null,
  impact: { read: true },
  input: object({ ...page, first: count() }),
  output: object({ numbers: list(object({ number: count() })), nextBefore }),
  example: { input: { first: 1 }, output: { numbers: [], nextBefore: null } },
  async handle({ before = '0', first }, { db }) {
    await db.rows('SELECT 1');
    const here = Number(before) + 1;
    read.push(here);
    return { numbers: here % first === 0 ? [{ number: here }] : [], nextBefore: String(here) };
  },
});

const slow = defineOperation({
  name: 'lab.long.read',
  summary: 'Wait with the connection.',
  access: 'secret',
  permission: null,
  impact: { read: true },
  mayTakeLong: () => true,
  input: object({}),
  output: object({ done: boolean() }),
  example: { input: {}, output: { done: true } },
  async handle(_, { db }) {
    await db.rows('SELECT 1');
    await gate.pass();
    return { done: true };
  },
});

describe('A list whose page has no rows', () => {
  const platform = usePlatform({
    settings: () => ({ SVC_DATABASE_POOL: '16' }),
    plugins: [lab(numbers, slow)],
  });
  beforeEach(() => (read.length = 0));
  afterEach(() => gate.open());

  const call = async ({ svc }: TestAccount, first: number, before?: string): Promise<unknown> => {
    const { status, text } = await svc.raw('/lab/number/list', JSON.stringify({ first, before }));
    expect(status, text).to.equal(200);
    return partOf(text, 'result');
  };
  const cursorOf = (result: unknown): string => /"nextBefore":"(\d+)"/.exec(JSON.stringify(result))?.[1] ?? '';

  it('is read on until one has', async () => {
    const account = await platform.account();
    expect(await call(account, 8)).to.deep.equal({ numbers: [{ number: 8 }], nextBefore: '8' });
    expect(read).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
    read.length = 0;
    expect(await call(account, 8, '8')).to.deep.equal({ numbers: [{ number: 16 }], nextBefore: '16' });
    expect(read).to.have.length(8);
  });

  it('is read on for a limited number of pages, and the next call continues there', async () => {
    const account = await platform.account();
    let result = await call(account, 70);
    expect(read.length).to.be.within(2, 50);
    for (let calls = 1; calls < 70 && !JSON.stringify(result).includes('"number":'); calls += 1)
      result = await call(account, 70, cursorOf(result));
    expect(result).to.deep.equal({ numbers: [{ number: 70 }], nextBefore: '70' });
    expect(read).to.deep.equal(Array.from({ length: 70 }, (_, index) => index + 1));
  });

  it('is answered as it is while the slow reads of the account have no place', async () => {
    const [account, other] = await Promise.all([platform.account(), platform.account()]);
    gate.close();
    const running = [1, 2].map(() => account.svc.raw('/lab/long/read', '{}'));
    await gate.reached(2);
    expect(await call(account, 8)).to.deep.equal({ numbers: [], nextBefore: '1' });
    expect(await call(other, 8)).to.deep.equal({ numbers: [{ number: 8 }], nextBefore: '8' });
    gate.open();
    expect((await Promise.all(running)).map(({ status }) => status)).to.deep.equal([200, 200]);
  });
});
