import { expect } from 'chai';
import { createDatabaseClock } from '#core/runtime/database-clock.js';
import { days, minutes, seconds } from '#test/support/clock.js';

const start = Date.UTC(2026, 10, 25, 12);

/** A machine and a database server, each with a clock that a test can set. */
function machine({ localIsOffBy = 0 } = {}) {
  const state = { elapsed: 1_000, local: localIsOffBy, database: 0 };
  const clock = createDatabaseClock(
    () => start + state.elapsed + state.local,
    () => state.elapsed,
  );
  return {
    state,
    clock,
    /** Time passes on all clocks. */
    pass: (ms: number) => (state.elapsed += ms),
    /** Asks the database, which answers after 2 ms; its clock was read after 1 ms. */
    ask() {
      const askedAt = state.elapsed;
      state.elapsed += 2;
      clock.observe({ now: new Date(start + askedAt + 1 + state.database), askedAt, answeredAt: state.elapsed });
    },
    /** How far the clock is from the right time. */
    off: () => clock.now().getTime() - start - state.elapsed,
  };
}

describe('The clock that follows the database', () => {
  it('shows the database’s time from the first reading on, wherever the machine’s clock began', () => {
    for (const localIsOffBy of [-days(1), days(100), 0]) {
      const { clock, ask, off, pass } = machine({ localIsOffBy });
      ask();
      expect(Math.abs(off())).to.be.at.most(2);
      pass(days(3));
      expect(Math.abs(off()), 'it goes on by the monotonic clock').to.be.at.most(2);
      expect(clock.isTrusted()).to.equal(localIsOffBy === 0);
    }
  });

  for (const jump of [minutes(2), days(1), days(100)])
    for (const sign of [1, -1]) {
      const by = `${(sign * jump) / minutes(1)} minutes`;
      it(`does not move when the machine’s clock jumps by ${by}, and is not trusted until it has settled`, () => {
        const { clock, state, ask, off, pass } = machine();
        ask();
        expect(clock.isTrusted()).to.equal(true);
        state.local = sign * jump;
        expect(Math.abs(off())).to.be.at.most(2);
        expect(clock.isTrusted(), 'before any reading').to.equal(false);
        pass(seconds(25));
        ask();
        state.local = 0;
        expect(Math.abs(off())).to.be.at.most(2);
        expect(clock.isTrusted(), 'just set right').to.equal(false);
        pass(minutes(5));
        ask();
        expect(clock.isTrusted()).to.equal(true);
      });

      it(`follows the database when its clock jumps by ${by}, as after a fail-over, and back`, () => {
        const { clock, state, ask, off, pass } = machine();
        ask();
        state.database = sign * jump;
        ask();
        expect(Math.abs(off() - sign * jump)).to.be.at.most(2);
        expect(clock.isTrusted()).to.equal(false);
        pass(minutes(10));
        expect(clock.isTrusted(), 'as long as the clocks differ').to.equal(false);
        state.database = 0;
        ask();
        expect(Math.abs(off())).to.be.at.most(2);
        pass(minutes(5));
        expect(clock.isTrusted()).to.equal(true);
      });

      it(`is not trusted for a while when both jump by ${by} at once`, () => {
        const { clock, state, ask, pass } = machine();
        ask();
        state.local = state.database = sign * jump;
        ask();
        expect(clock.isTrusted()).to.equal(false);
        pass(minutes(5));
        ask();
        expect(clock.isTrusted()).to.equal(true);
      });
    }

  it('ignores corrections that a reading does not prove: a slow answer moves nothing', () => {
    const { clock, state, ask, off } = machine();
    ask();
    const before = off();
    const askedAt = state.elapsed;
    state.elapsed += 5_000;
    clock.observe({ now: new Date(start + askedAt + 4_900), askedAt, answeredAt: state.elapsed });
    expect(off()).to.equal(before);
    expect(clock.isTrusted()).to.equal(true);
  });

  for (const jump of [minutes(2), minutes(30), days(1)])
    it(`has no certain time ahead of the right one after the database’s clock jumped ahead by ${jump / minutes(1)} minutes`, () => {
      const { clock, state, ask, pass } = machine();
      const right = (): number => start + state.elapsed;
      const certainlyOff = (): number => clock.certain().getTime() - right();
      ask();
      expect(Math.abs(certainlyOff())).to.be.at.most(2);
      for (const local of [0, jump]) {
        // Only the database's clock, and both, as on one machine.
        Object.assign(state, { database: jump, local });
        ask();
        expect(clock.now().getTime() - right(), 'the time follows').to.be.above(jump - 3);
        expect(certainlyOff()).to.be.at.most(2);
        pass(minutes(4));
        ask();
        expect(certainlyOff()).to.be.at.most(2);
        Object.assign(state, { database: 0, local: 0 });
        ask();
        pass(minutes(5));
        ask();
        expect(clock.isTrusted()).to.equal(true);
        expect(Math.abs(certainlyOff())).to.be.at.most(2);
      }
    });

  it('knows until when it was ahead after it was set back, and forgets it once that time has come', () => {
    const { clock, state, ask, pass } = machine();
    ask();
    state.database = minutes(30);
    ask();
    expect(clock.aheadUntil()).to.equal(null);
    pass(minutes(5));
    ask();
    state.database = 0;
    ask();
    expect(Number(clock.aheadUntil()) - start - state.elapsed).to.be.closeTo(minutes(30), 5);
    pass(minutes(31));
    expect(clock.aheadUntil()).to.equal(null);
  });

  it('takes the earlier one for certain as long as the clocks differ', () => {
    for (const localIsOffBy of [-days(1), days(1)]) {
      const { clock, state, ask } = machine({ localIsOffBy });
      ask();
      expect(Math.abs(clock.certain().getTime() - start - state.elapsed - Math.min(0, localIsOffBy))).to.be.at.most(2);
    }
  });
});
