import { expect } from 'chai';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { asApp, userWithPassword } from './support.js';

/** How long the quick ones of many calls take: what else the machine does only makes some of them slower. */
const quick = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 10)] ?? NaN;

/** How many milliseconds `a` takes longer than `b`, from pairs that begin with the one and the other in turn. */
async function difference(a: () => Promise<unknown>, b: () => Promise<unknown>, pairs: number): Promise<number> {
  const times = new Map<unknown, number[]>([
    [a, []],
    [b, []],
  ]);
  for (let pair = 0; pair < pairs; pair += 1)
    for (const work of pair % 2 === 0 ? [a, b] : [b, a]) {
      const started = performance.now();
      await work();
      times.get(work)?.push(performance.now() - started);
    }
  return quick(times.get(a) ?? []) - quick(times.get(b) ?? []);
}

describe('auth.password.signin, timed', () => {
  const platform = usePlatform();

  it('takes as long for an unknown address as for a wrong password, while 5 ms more would be noticed', async function () {
    this.timeout(240_000);
    const account = await platform.account();
    const app = asApp(platform, account);
    await userWithPassword(platform, account.live);
    const attempt = async (email: string): Promise<void> => {
      // The next window of the limits.
      platform.clock.advance(minutes(10));
      const { code } = await app.refusal('auth.password.signin', { email, password: 'wrong password' });
      expect(code).to.equal('invalid_credentials');
    };
    const known = () => attempt('ada@example.com');
    const unknown = () => attempt('nobody@example.com');
    const slower = () => wait(5).then(unknown);
    await difference(known, unknown, 10);
    // A machine that is busy with other things may spoil one measurement.
    const measured: { apart: number; injected: number }[] = [];
    const tells = ({ apart, injected }: { apart: number; injected: number }) => apart < 3 && injected > 3;
    while (measured.length < 3 && !measured.some(tells))
      measured.push({
        apart: Math.abs(await difference(unknown, known, 100)),
        injected: await difference(slower, known, 60),
      });
    expect(measured.some(tells), JSON.stringify(measured)).to.equal(true);
  });
});
