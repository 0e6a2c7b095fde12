import { channels } from '#plugins/audience/channels.js';
import type { Channel } from '#plugins/audience/ports.js';
import type { Api } from '#test/support/api.js';
import type { TestClock } from '#test/support/clock.js';

/** Pseudo-random whole numbers, reproducible by their seed (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface RandomChanges {
  seed: number;
  /** Nodes that the calls go to, chosen at random. */
  nodes: readonly Api[];
  clock: TestClock;
  contacts: readonly string[];
  topics: readonly string[];
  batches: number;
  callsPerBatch: number;
}

/**
 * Grants and revokes at random: one topic or all of a channel, now, long ago or at the same moment, by consent.grant
 * and by the consents of contact.upsert. The calls of one batch run concurrently; the clock advances between batches.
 * @returns the number of calls
 */
export async function makeRandomChanges(options: RandomChanges): Promise<number> {
  const { seed, nodes, clock, contacts, topics, batches, callsPerBatch } = options;
  const random = seeded(seed);
  const oneOf = <T>(values: readonly T[]): T => {
    const value = values[random(values.length)];
    if (value === undefined) throw new Error('There is nothing to choose from.');
    return value;
  };
  const changeOne = async (): Promise<void> => {
    const [svc, email, topic] = [oneOf(nodes), oneOf(contacts), oneOf(topics)];
    const channel: Channel = oneOf(channels);
    const source = `source ${random(1000)}`;
    const givenAt = new Date(clock.now().getTime() - oneOf([0, 0, 1, 5_000, 60_000])).toISOString();
    const kind = random(10);
    if (kind < 4) await svc.call('audience.consent.grant', { email, topic, channel, source, givenAt });
    else if (kind < 6) {
      const consents = [
        { topic, channel, source, givenAt },
        { topic: oneOf(topics), channel, source, givenAt },
      ];
      await svc.call('audience.contact.upsert', { email, consents });
    } else if (kind < 9) await svc.call('audience.consent.revoke', { email, topic, channel, source });
    else await svc.call('audience.consent.revoke', { email, channel, source });
  };
  for (let batch = 0; batch < batches; batch += 1) {
    await Promise.all(Array.from({ length: callsPerBatch }, changeOne));
    clock.advance(oneOf([1, 1, 1_000, 30_000]));
  }
  return batches * callsPerBatch;
}
