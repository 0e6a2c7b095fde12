import type { Channel } from '../ports.js';
import type { TopicRow } from '../tables/topic.js';
import { denyConsents } from '../consents/append.js';
import type { ConsentClaim } from '../consents/plan.js';
import type { Context } from '#core/kernel/context.js';
import { suppress } from '../suppressions/write.js';
import { channelsOf } from '../topics/present.js';
import type { Holder } from './resolve-link.js';
import { addressOn } from './present.js';

export type ChangeScene = Context<
  'audience.consent.granted' | 'audience.consent.revoked' | 'audience.suppression.added' | 'audience.suppression.lifted'
>;

/** What changed on a channel; nothing where all was as wanted already. */
export interface Changed {
  /** Keys of topics. */
  granted: string[];
  revoked: string[];
  ended: boolean;
  lifted: boolean;
}

/** Where something was said, and in which words it stood there. */
export interface Said {
  source: string;
  wording: string | null;
  givenAt: Date;
}

/** A claim that the person makes themself. */
export const claimOf = (
  { caller }: ChangeScene,
  { contact }: Holder,
  channel: Channel,
  { topic }: TopicRow,
  said: Said,
): Omit<ConsentClaim, 'state'> => ({ contact, channel, topic, ip: caller.request.ip, ...said });

/** Revokes topics, also those that were never granted: the no stands against older evidence. @returns keys of those that changed */
export async function revoke(
  scene: ChangeScene,
  holder: Holder,
  channel: Channel,
  topics: readonly { topic: TopicRow; wording: string | null }[],
  source: string,
): Promise<string[]> {
  const givenAt = scene.clock.now();
  const appended = await denyConsents(
    scene,
    topics.map(({ topic, wording }) => ({
      ...claimOf(scene, holder, channel, topic, { source, wording, givenAt }),
      state: 'revoked',
    })),
  );
  return appended.flatMap(({ record }) => record?.topic ?? []);
}

/** Nothing more on the channel: a suppression of the address, and every topic revoked, archived ones included. */
export async function endChannel(
  scene: ChangeScene,
  holder: Holder,
  channel: Channel,
  all: readonly TopicRow[],
  source: string,
): Promise<Changed> {
  const address = addressOn(holder, channel);
  const { added } =
    address === null
      ? { added: false }
      : await suppress(scene, holder.environment.id, { channel, address, reason: 'unsubscribe', note: null });
  const topics = all.filter((topic) => channelsOf(topic).includes(channel));
  // Nobody was shown all of these: no words of theirs were agreed to or declined.
  const unworded = topics.map((topic) => ({ topic, wording: null }));
  return { granted: [], revoked: await revoke(scene, holder, channel, unworded, source), ended: added, lifted: false };
}
