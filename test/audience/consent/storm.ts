import { channels } from '#plugins/audience/channels.js';
import type { Channel } from '#plugins/audience/ports.js';
import type { Api } from '#test/support/api.js';
import type { TestClock } from '#test/support/clock.js';

/** A seeded source of numbers (mulberry32): the same storm again from the same seed. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export interface Weather {
  seed: number;
  /** Nodes that the calls go to, each in turn. */
  nodes: readonly Api[];
  clock: TestClock;
  contacts: readonly string[];
  topics: readonly string[];
  gusts: number;
  callsPerGust: number;
}

/**
 * Grants and revokes at random: one topic or all of a channel, now, long ago or at the same moment, by consent.grant and by the consents of
 * contact.upsert. The calls of one gust run at once; between gusts the clock moves.
 * @returns how many calls went through
 */
export async function storm(weather: Weather): Promise<number> {
  const { seed, nodes, clock, contacts, topics, gusts, callsPerGust } = weather;
  const random = seeded(seed);
  const oneOf = <T>(values: readonly T[]): T => {
    const value = values[random(values.length)];
    if (value === undefined) throw new Error('There is nothing to choose from.');
    return value;
  };
  const blow = async (): Promise<void> => {
    const [svc, email, topic] = [oneOf(nodes), oneOf(contacts), oneOf(topics)];
    const channel: Channel = oneOf(channels);
    const source = `storm ${random(1000)}`;
    const givenAt = new Date(clock.now().getTime() - oneOf([0, 0, 1, 5_000, 60_000])).toISOString();
    const what = random(10);
    if (what < 4) await svc.call('audience.consent.grant', { email, topic, channel, source, givenAt });
    else if (what < 6) {
      const consents = [
        { topic, channel, source, givenAt },
        { topic: oneOf(topics), channel, source, givenAt },
      ];
      await svc.call('audience.contact.upsert', { email, consents });
    } else if (what < 9) await svc.call('audience.consent.revoke', { email, topic, channel, source });
    else await svc.call('audience.consent.revoke', { email, channel, source });
  };
  for (let gust = 0; gust < gusts; gust += 1) {
    await Promise.all(Array.from({ length: callsPerGust }, blow));
    clock.advance(oneOf([1, 1, 1_000, 30_000]));
  }
  return gusts * callsPerGust;
}
