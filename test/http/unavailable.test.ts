import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import type { Api } from '#test/support/api.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, lab, partOf } from '#test/kernel/support/lab.js';

const gate = createGate();
const hold = defineOperation({
  name: 'lab.pool.hold',
  summary: 'Hold a connection.',
  access: 'secret',
  input: object({}),
  output: object({ done: boolean() }),
  example: { input: {}, output: { done: true } },
  async handle() {
    await gate.pass();
    return { done: true };
  },
});

const openFile = defineOperation({
  name: 'lab.file.open',
  summary: 'Fail as if no file descriptor were free.',
  access: 'secret',
  input: object({}),
  output: object({ done: boolean() }),
  example: { input: {}, output: { done: true } },
  async handle() {
    throw Object.assign(new Error("EMFILE: too many open files, open '/srv/file'"), {
      code: 'EMFILE',
      syscall: 'open',
    });
  },
});

describe('A server without a free file descriptor', () => {
  const platform = usePlatform({ plugins: [lab(openFile)] });

  it('answers 503: the call is to be repeated', async () => {
    const { svc } = await platform.account();
    const answer = await svc.raw('/lab/file/open', '{}');
    expect([answer.status, codeOf(answer)]).to.deep.equal([503, 'unavailable']);
    expect(partOf(answer.text, 'error')['message']).to.contain('no free file descriptor');
  });
});

/** Of eight connections, one is for /readyz and two are left to background work (docs/operating.md). */
const callConnections = 5;

describe('A server whose database connections for calls are all taken', () => {
  const platform = usePlatform({ settings: () => ({ SVC_DATABASE_POOL: '8' }), plugins: [lab(hold)] });
  afterEach(() => gate.open());

  /** A call of each of several accounts: one account has only a part of the connections. */
  const holdAll = async (): Promise<ReturnType<Api['raw']>[]> => {
    const accounts = await Promise.all(Array.from({ length: callConnections }, () => platform.account()));
    gate.close();
    const holders = accounts.map(({ svc }) => svc.raw('/lab/pool/hold', '{}'));
    await gate.reached(callConnections);
    return holders;
  };

  it('answers 503 after two seconds instead of waiting, and serves again as soon as one is free', async () => {
    const { svc } = await platform.account();
    const holders = await holdAll();
    const began = Date.now();
    const [read, write, ready] = await Promise.all([
      svc.raw('/account/get', '{}'),
      svc.raw('/lab/pool/hold', '{}', { idempotencyKey: 'a' }),
      platform.api.raw('/readyz', undefined, { method: 'GET' }),
    ]);
    expect(Date.now() - began).to.be.within(1_900, 3_500);
    for (const answer of [read, write]) {
      expect([answer.status, codeOf(answer)]).to.deep.equal([503, 'unavailable']);
      expect(partOf(answer.text, 'error')['fix']).to.contain('Repeat the call');
    }
    expect(ready.status, 'which has a connection of its own').to.equal(200);
    expect((await platform.api.raw('/healthz', undefined, { method: 'GET' })).status).to.equal(200);
    gate.open();
    expect((await Promise.all(holders)).map((answer) => answer.status)).to.deep.equal([200, 200, 200, 200, 200]);
    expect((await svc.raw('/account/get', '{}')).status).to.equal(200);
  });

  it('loses no connection: as many calls as before can hold one each', async () => {
    const holders = await holdAll();
    gate.open();
    expect((await Promise.all(holders)).map((answer) => answer.status)).to.deep.equal([200, 200, 200, 200, 200]);
  });

  it('does not deadlock with many more callers than connections: no call holds one while waiting for another', async () => {
    const { svc } = await platform.account();
    const calls = Array.from({ length: 60 }, (_, index) =>
      index % 2 === 0
        ? svc.raw('/developers/key/current', '{}')
        : svc.raw('/developers/key/create', '{"name":"A","kind":"publishable"}', { idempotencyKey: `k${index}` }),
    );
    expect((await Promise.all(calls)).map((answer) => answer.status)).to.deep.equal(calls.map(() => 200));
  });
});
