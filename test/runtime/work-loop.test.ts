import { expect } from 'chai';
import { createLog, silentLog } from '#core/runtime/log.js';
import { startLoop } from '#core/runtime/work/loop.js';
import { eventually } from '#test/support/eventually.js';

describe('A polling loop', () => {
  it('retries a failed poll soon, and waits longer when the retry fails too', async () => {
    let polls = 0;
    let failing = 0;
    const loop = startLoop({
      name: 'lab',
      log: silentLog,
      pollMs: 3_600_000,
      isBusy: () => false,
      async poll() {
        polls += 1;
        if (failing > 0) {
          failing -= 1;
          throw new Error('no');
        }
        return false;
      },
    });
    await loop.idle();
    const before = polls;
    failing = 1;
    loop.wake();
    await eventually(() => polls === before + 2, 'a second poll');
    failing = 5;
    loop.wake();
    await eventually(() => polls === before + 4, 'exactly one more poll');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(polls).to.equal(before + 4);
    await loop.stop();
  });

  it('logs that polls fail once, not each retry, and again when they fail anew', async () => {
    const lines: string[] = [];
    let failing = 3;
    const loop = startLoop({
      name: 'lab',
      log: createLog('warn', { write: (line) => void lines.push(line) }),
      async poll() {
        failing -= 1;
        if (failing >= 0) throw new Error('no');
        return false;
      },
    });
    await loop.idle();
    expect(failing).to.be.lessThan(0);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.contain('polling for work failed').and.contain('"queue":"lab"');
    failing = 1;
    await loop.idle();
    expect(lines).to.have.length(2);
    await loop.stop();
  });

  it('becomes idle when another process did the work that the last poll found', async () => {
    let due = false;
    const loop = startLoop({
      name: 'lab',
      log: silentLog,
      async poll() {
        const found = due;
        due = false;
        return found;
      },
    });
    await loop.idle();
    due = true;
    await loop.idle();
    await loop.stop();
  });
});
