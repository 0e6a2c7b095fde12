import { expect } from 'chai';
import { countRoundTrips, type RoundTripCounter } from '#scripts/bench/round-trips.js';
import { seconds } from './clock.js';
import { usePlatform, type TestPlatform } from './platform.js';

/**
 * Work of the process that many calls share: new connections and their prepared statements, last uses of keys, readings
 * of the database's clock, the heartbeat, and reservations of key-limit tokens, some of which end with only a COMMIT.
 */
const isShared = (command: string): boolean =>
  /^\(prepare\)$|^SET time_zone|svc_ceiling|svc_heartbeat|developers_key|^SELECT -1 AS source|^COMMIT$/.test(command);

type Call = (index: number) => Promise<unknown>;

/**
 * A platform that counts its commands to the database server. It has no workers, because their polling would be
 * counted.
 */
interface CountingPlatform {
  readonly svc: TestPlatform;
  /** Calls twice to prepare statements, then `count` times one after the other. @returns the commands of all of them */
  commandsOf(count: number, call: Call): Promise<string[]>;
  /** Fails if ten calls do not take `expected` round trips each. */
  expectRoundTrips(expected: number, call: Call): Promise<void>;
}

/** Call it in `describe`. */
export function useRoundTrips(): CountingPlatform {
  const parts: { counter?: RoundTripCounter } = {};
  const svc = usePlatform({
    settings: () => ({ SVC_ROLE: 'api' }),
    databaseUrl: async (url) => {
      parts.counter = await countRoundTrips(url);
      return parts.counter.url;
    },
  });
  after(() => parts.counter?.close());

  async function commandsOf(count: number, call: Call): Promise<string[]> {
    for (let index = -2; index < 0; index += 1) await call(index);
    parts.counter?.take();
    for (let index = 0; index < count; index += 1) await call(index);
    return parts.counter?.take() ?? [];
  }

  return {
    svc,
    commandsOf,
    async expectRoundTrips(expected, call) {
      const calls = 10;
      // As one person calls: more than 10 calls of an address in a minute are counted in the database.
      const callLater: Call = async (index) => {
        svc.clock.advance(seconds(8));
        await call(index);
      };
      const commands = (await commandsOf(calls, callLater)).filter((command) => !isShared(command));
      expect(commands.length / calls, commands.slice(0, expected * 2).join('\n--\n')).to.equal(expected);
    },
  };
}
