import { refusalOf } from '#core/kernel/errors/common.js';
import type { Channel } from '../ports.js';
import type { TopicRow } from '../tables/topic.js';
import { grantConsents } from '../consents/append.js';
import { lift } from '../suppressions/write.js';
import { claimOf, endChannel, revoke, type Changed, type ChangeScene } from './unsubscribe.js';
import type { Holder } from './resolve-link.js';
import type { Wanted } from './input.js';
import { addressOn, isUndoneHere, standingsOn, suppressionsOn } from './present.js';
import { shownOn, topicsOf, wordingOf } from './topics.js';

const source = 'preferences page';

const refused = (field: string, problem: string): Error =>
  refusalOf.invalid_input({ field, problem, details: { field } });

/**
 * Does what a person wants on one channel; the caller holds the contact's row. What is as wanted already is left alone, without record
 * and event.
 * @throws invalid_input for a channel that the person has no address on, and for a topic that the page does not show
 */
export async function changeChannel(scene: ChangeScene, holder: Holder, wanted: Wanted): Promise<Changed> {
  const { channel, unsubscribeAll } = wanted;
  if (addressOn(holder, channel) === null) {
    const missing = channel === 'email' ? 'address' : 'number';
    throw refused(channel, `cannot be set: there is no ${missing} of this person`);
  }
  const all = await topicsOf(scene.db, holder.environment.id);
  const shown = shownOn(all, channel, holder);
  const wishes = wanted.topics.map(([key, subscribed]) => {
    const topic = shown.find((each) => each.topic === key);
    if (!topic) throw refused(`${channel}.topics.${key}`, 'is no topic of these preferences');
    return { topic, subscribed };
  });
  if (unsubscribeAll === true) return endChannel(scene, holder, channel, all, source);
  return choose(scene, holder, channel, { all, wishes, undo: unsubscribeAll === false });
}

interface Choice {
  all: readonly TopicRow[];
  wishes: readonly { topic: TopicRow; subscribed: boolean }[];
  /** Lift what the person asked for, even where they subscribe to nothing. */
  undo: boolean;
}

async function choose(
  scene: ChangeScene,
  holder: Holder,
  channel: Channel,
  { all, wishes, undo }: Choice,
): Promise<Changed> {
  const standings = await standingsOn(scene.db, holder, channel);
  const suppressions = await suppressionsOn(scene, holder, channel);
  const isGranted = ({ topic }: TopicRow): boolean => standings.get(topic)?.state === 'granted';
  const wanted = wishes.flatMap(({ topic, subscribed }) => (subscribed ? [topic] : []));
  const unwanted = wishes.flatMap(({ topic, subscribed }) => (subscribed || !isGranted(topic) ? [] : [topic]));
  const undone = suppressions.filter(({ reason }) => isUndoneHere(reason));
  const renewed = wanted.length > 0 && undone.length > 0;
  if (renewed || undo) for (const row of undone) await lift(scene, row);
  // Subscribing to one thing again must not bring back the others, which the page showed as ended.
  const others = renewed && !undo ? all.filter((topic) => isGranted(topic) && !wanted.includes(topic)) : [];
  const revoked = await revoke(
    scene,
    holder,
    channel,
    [
      ...unwanted.map((topic) => ({ topic, wording: wordingOf(topic) })),
      ...others.filter((topic) => !unwanted.includes(topic)).map((topic) => ({ topic, wording: null })),
    ],
    source,
  );

  // What the person says now is later than all that they had said, whatever the nodes' clocks tell.
  const before = [
    ...wanted.map(({ topic }) => standings.get(topic)?.since ?? new Date(0)),
    ...suppressions.map(({ createdAt }) => createdAt),
  ];
  const givenAt = new Date(Math.max(scene.clock.now().getTime(), ...before.map((moment) => moment.getTime() + 1)));
  const grants = wanted
    .filter((topic) => renewed || !isGranted(topic))
    .map((topic) => ({
      ...claimOf(scene, holder, channel, topic, { source, wording: wordingOf(topic), givenAt }),
      byPerson: true,
      state: 'granted' as const,
    }));
  const appended = await grantConsents(scene, grants, { renew: renewed });
  const granted = appended.flatMap(({ record }) => record?.topic ?? []);
  return { granted, revoked, ended: false, lifted: (renewed || undo) && undone.length > 0 };
}
