import { expect } from 'chai';
import { silentLog } from '#core/runtime/log.js';
import { startLoop } from '#core/runtime/work/loop.js';
import { eventually } from '#test/support/eventually.js';

describe('The loop of looks', () => {
  it('repeats a failed look at once, because it was woken for something, and keeps a slower pace when it fails again', async () => {
    let looks = 0;
    let failing = 0;
    const loop = startLoop({
      name: 'lab',
      log: silentLog,
      pollMs: 3_600_000,
      isBusy: () => false,
      async look() {
        looks += 1;
        if (failing > 0) {
          failing -= 1;
          throw new Error('no');
        }
        return false;
      },
    });
    await loop.idle();
    const before = looks;
    failing = 1;
    loop.wake();
    await eventually(() => looks === before + 2, 'a second look');
    failing = 5;
    loop.wake();
    await eventually(() => looks === before + 4, 'one more look, and no other');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(looks).to.equal(before + 4);
    await loop.stop();
  });
});
