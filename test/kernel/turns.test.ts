import { expect } from 'chai';
import { turnsOf } from '#core/kernel/caller/share.js';
import { isTenant } from '#core/kernel/caller/caller.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { createThreadPool } from '#core/runtime/thread-pool.js';
import { usePlatform } from '#test/support/platform.js';
import type { Exertion } from '../runtime/patient-thread.js';
import { lab } from './support/lab.js';

/** The accounts of calls in the order in which they began. */
const began: string[] = [];
const begin = defineOperation({
  name: 'lab.call.begin',
  summary: 'Notes that it began.',
  access: 'publishable',
  impact: { read: true },
  input: object({}),
  output: object({ done: boolean() }),
  example: { input: {}, output: { done: true } },
  async handle(_, { db, caller }) {
    began.push(isTenant(caller) ? caller.environment.accountId : '');
    await db.rows('SELECT 1');
    return { done: true };
  },
});

describe('Turns of accounts', function () {
  this.timeout(60_000);

  it('come first, then live environments and the test environments as one, then those', () => {
    const of = (id: string, kind: 'live' | 'test'): readonly string[] => turnsOf({ id, accountId: 'account', kind });
    expect(of('one', 'live')).to.deep.equal(['account', 'one']);
    expect(of('two', 'test')).to.deep.equal(['account', 'test', 'two']);
  });

  it('leave a thread to another account while 20 environments of one send slow requests', async () => {
    const { run } = createThreadPool<Exertion, object>({
      module: new URL('../runtime/patient-thread.js', import.meta.url),
      maxThreads: 2,
      maxWaiting: 50,
      cpuMs: 5_000,
      heapMb: 64,
    });
    const done: string[] = [];
    const slow = Array.from({ length: 20 }, (_, index) => {
      const kind = index % 2 === 0 ? 'live' : 'test';
      return run(turnsOf({ id: `${index}`, accountId: 'many', kind }), { waitMs: 200 }).then(() => done.push(kind));
    });
    // All of these run while the first few of the other account do.
    for (let index = 0; index < 3; index += 1)
      await run(turnsOf({ id: 'one', accountId: 'other', kind: 'live' }), {}).then(() => done.push('other'));
    await Promise.all(slow);
    expect(done.lastIndexOf('other')).to.be.lessThan(10);
    // The ten test environments get one turn of eleven, until the live ones have had theirs.
    const ofMany = done.filter((each) => each !== 'other');
    expect(ofMany.slice(0, 3)).to.deep.equal(['live', 'test', 'live']);
  });
});

describe('Calls that arrive at once', () => {
  const platform = usePlatform({ plugins: [lab(begin)] });

  it('begin in turn: one account’s hundred calls delay another’s by a few of them', async () => {
    const [many, other] = await Promise.all([platform.account(), platform.account()]);
    const { services } = platform.running;
    const request = { requestId: 'test', ip: '127.0.0.1', userAgent: null, origin: null };
    const start = ({ live, test }: typeof many, index: number): Promise<unknown> =>
      services.call({
        operation: services.catalogue.at('/lab/call/begin'),
        input: {},
        bearer: undefined,
        idempotencyKey: undefined,
        environmentId: undefined,
        request,
        inProcess: { environment: index % 2 === 0 ? live : test, limits: undefined, repeatKey: undefined },
      });
    const calls = Array.from({ length: 100 }, (_, index) => start(many, index));
    await Promise.all([...calls, start(other, 0)]);
    expect(began).to.have.length(101);
    expect(began.indexOf(other.accountId)).to.be.lessThan(12);
  });

  it('are refused one in a turn of the event loop, because a refused call is repeated at once', async () => {
    const { services } = platform.running;
    const operation = services.catalogue.at('/lab/call/begin');
    const request = { requestId: 'test', ip: '127.0.0.1', userAgent: null, origin: null };
    let turn = 0;
    const next = (): void => {
      turn += 1;
      turning = setImmediate(next);
    };
    let turning = setImmediate(next);
    const refuse = async (): Promise<number> => {
      const bearer = 'svc_sk_unknown';
      const refusal = await services.admit(operation, { bearer, environmentId: undefined, request }).catch(String);
      expect(refusal).to.be.a('string');
      return turn;
    };
    const turns = await Promise.all(Array.from({ length: 50 }, refuse));
    clearImmediate(turning);
    expect(new Set(turns).size).to.equal(50);
  });
});
