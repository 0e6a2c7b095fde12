import { expect } from 'chai';
import { turnsOf } from '#core/kernel/caller/share.js';
import { createThreadPool } from '#core/runtime/thread-pool.js';
import type { Exertion } from '../runtime/patient-thread.js';

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
