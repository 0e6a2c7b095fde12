import { expect } from 'chai';
import { createThreadPool, ThreadEnded, ThreadStarved, type ThreadPool } from '#core/runtime/thread-pool.js';
import type { Exertion } from './patient-thread.js';

const module = new URL('./patient-thread.js', import.meta.url);

const pool = (cpuMs: number): ThreadPool<Exertion, object> =>
  createThreadPool<Exertion, object>({
    module,
    maxThreads: 3,
    isLarge: ({ isLarge = false }) => isLarge,
    maxWaiting: 50,
    cpuMs,
    heapMb: 64,
  });

describe('A request in a thread', function () {
  this.timeout(60_000);

  it('may wait for the CPU for longer than the time that it may use', async () => {
    expect(await pool(200).run(['a'], { waitMs: 600 })).to.deep.equal({ done: true });
  });

  it('is refused if it uses more than its time', async () => {
    const refused = await pool(200)
      .run(['a'], { workMs: 60_000 })
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ThreadEnded);
    expect(String(refused)).to.contain('takes longer than 200 ms');
  });

  it('that gets no CPU time may be sent again', async () => {
    const refused = await pool(100)
      .run(['a'], { waitMs: 60_000 })
      .catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ThreadStarved);
  });

  it('passes large ones of its environment that wait', async () => {
    const { run } = pool(5_000);
    const done: string[] = [];
    const large = Array.from({ length: 4 }, () =>
      run(['a'], { waitMs: 500, isLarge: true }).then(() => done.push('large')),
    );
    await run(['a'], {}).then(() => done.push('small'));
    await Promise.all(large);
    expect(done.indexOf('small')).to.be.lessThan(2);
    expect(done).to.have.length(5);
  });
});
