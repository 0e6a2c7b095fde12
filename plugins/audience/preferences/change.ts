import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { changesIn, grantConsents } from '../consents/append.js';
import { liftSuppression } from '../suppressions/store.js';
import type { TopicRow } from '../tables/topic.js';
import { topicsOf } from '../topics/find.js';
import type { ChannelChanges } from './input.js';
import {
  activeSuppressionsOn,
  addressOn,
  currentConsentsOn,
  isUndoneByPreferences,
  visibleTopics,
  wordingOf,
} from './present.js';
import type { ResolvedLink } from './token.js';
import type { ChannelResult } from './result.js';
import { personalClaim, revokeByPerson, unsubscribeAll, type PreferencesContext } from './unsubscribe.js';

/**
 * Makes a person's changes on one channel. The caller has locked the contact. A choice that equals the current state
 * gets no event, and no record unless it is new evidence.
 *
 * The link in a message can always unsubscribe from the message's topic, even if the topic is archived or the contact
 * no longer has an address.
 * @throws invalid_input for a channel without an address, and for a topic that is not among the person's preferences
 */
export async function changeChannel(
  context: PreferencesContext,
  link: ResolvedLink,
  changes: ChannelChanges,
  choice: Choice = {},
): Promise<ChannelResult> {
  const { channel } = changes;
  const ofMessage = link.message?.channel === channel ? link.message : null;
  const optsOutOnly = changes.unsubscribeAll !== false && changes.topics.every(([, subscribe]) => !subscribe);
  if (addressOn(link, channel) === null && !(ofMessage && optsOutOnly)) {
    const missing = channel === 'email' ? 'email address' : 'phone number';
    throw invalidField(channel, `cannot be set: the contact has no ${missing}`);
  }
  const all = await topicsOf(context.db, link.environment.id);
  const visible = visibleTopics(all, channel, link);
  const choices = changes.topics.map(([key, subscribe]) => {
    const isOfMessage = key === ofMessage?.topic;
    const topic = (isOfMessage && !subscribe ? all : visible).find((each) => each.topic === key);
    if (!topic) throw invalidField(`${channel}.topics.${key}`, 'is not a topic of these preferences');
    return { topic, subscribe, isOfMessage };
  });
  if (changes.unsubscribeAll === true) return unsubscribeAll(context, link, channel, all);
  return changeTopics(context, link, channel, { all, choices, liftAll: changes.unsubscribeAll === false, choice });
}

/** How the person chose, if not on the preferences page. */
interface Choice {
  /** The words that the person saw for the topics; the preferences page’s by default. */
  wording?: string;
  /** The person did not read that they reported mail as spam, so the choice does not undo that. */
  keepsComplaint?: true;
  /** Subscribing to a topic is recorded as new evidence, even if the person is already subscribed to it. */
  renews?: true;
}

interface TopicChanges {
  all: readonly TopicRow[];
  choices: readonly { topic: TopicRow; subscribe: boolean; isOfMessage: boolean }[];
  /** Lifts the suppressions that the person requested, even if they do not subscribe to anything. */
  liftAll: boolean;
  choice: Choice;
}

async function changeTopics(
  context: PreferencesContext,
  link: ResolvedLink,
  channel: ChannelResult['channel'],
  { all, choices, liftAll, choice }: TopicChanges,
): Promise<ChannelResult> {
  const consents = await currentConsentsOn(context.db, link, channel);
  const suppressions = await activeSuppressionsOn(context, link, channel);
  const isGranted = ({ topic }: TopicRow): boolean => consents.get(topic)?.state === 'granted';
  const subscribed = choices.flatMap(({ topic, subscribe }) => (subscribe ? [topic] : []));
  const unsubscribed = choices.flatMap(({ topic, subscribe, isOfMessage }) =>
    !subscribe && (isOfMessage || isGranted(topic)) ? [topic] : [],
  );

  const undone = suppressions.filter(
    ({ reason }) => isUndoneByPreferences(reason) && !(reason === 'complaint' && choice.keepsComplaint === true),
  );
  const resubscribes = subscribed.length > 0 && undone.length > 0;
  const lifted = (resubscribes || liftAll) && undone.length > 0;
  if (lifted) for (const row of undone) await liftSuppression(context, row);
  // Subscribing to one topic again must not bring back the others, which the page showed as unsubscribed.
  const stale =
    resubscribes && !liftAll
      ? all.filter((topic) => isGranted(topic) && !subscribed.includes(topic) && !unsubscribed.includes(topic))
      : [];
  const revoked = await revokeByPerson(context, link, channel, [...unsubscribed, ...stale]);

  // The person's choice now is later than everything before it, even if the clocks of two nodes disagree.
  const earlier = [
    ...subscribed.map(({ topic }) => consents.get(topic)?.since ?? new Date(0)),
    ...suppressions.map(({ createdAt }) => createdAt),
  ];
  const givenAt = new Date(Math.max(context.clock.now().getTime(), ...earlier.map((time) => time.getTime() + 1)));
  const renew = resubscribes || choice.renews === true;
  const grants = subscribed
    .filter((topic) => renew || !isGranted(topic))
    .map((topic) => ({
      ...personalClaim(context, link, channel, topic, { wording: choice.wording ?? wordingOf(topic), givenAt }),
      byPerson: true,
      state: 'granted' as const,
    }));
  const results = await grantConsents(context, grants, { renew });
  const granted = results.flatMap(({ record }) => record?.topic ?? []);
  return {
    channel,
    granted,
    revoked: revoked.keys,
    unsubscribedAll: false,
    lifted,
    consents: [...revoked.changes, ...changesIn(results)],
  };
}
