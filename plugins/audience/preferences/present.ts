import type { Context } from '#core/kernel/context.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Session } from '#core/runtime/database/session.js';
import { directory } from '#plugins/account/ports.js';
import type { Channel, SuppressionReason } from '../ports.js';
import type { Preferences } from '../resources.js';
import { isPersonalReason } from '../tables/suppression-reasons.js';
import { activeSuppressions } from '../suppressions/store.js';
import { consents, type ConsentRow } from '../tables/consent.js';
import { suppressions, type SuppressionRow } from '../tables/suppression.js';
import type { TopicRow } from '../tables/topic.js';
import { topicsOf } from '../topics/find.js';
import { channelsOf } from '../topics/present.js';
import type { ResolvedLink } from './token.js';

export type PreferencesValue = ValueOf<typeof Preferences>;

/**
 * Which of several suppressions to show: first the ones that the person requested (STOP before the rest, because it is
 * undone elsewhere).
 */
const reasonsToShow: readonly SuppressionReason[] = ['stop', 'unsubscribe', 'complaint', 'bounce', 'manual'];

/** Whether a person can undo a suppression through a preferences link. STOP is undone by texting START. */
export const isUndoneByPreferences = (reason: SuppressionReason): boolean =>
  isPersonalReason(reason) && reason !== 'stop';

/** The contact's address or number on a channel. */
export const addressOn = ({ contact }: Pick<ResolvedLink, 'contact'>, channel: Channel): string | null =>
  channel === 'email' ? contact.email : contact.phone;

/** The active suppressions of the contact's address on a channel. */
export const activeSuppressionsOn = async (
  context: Pick<Context, 'db' | 'vault'>,
  link: ResolvedLink,
  channel: Channel,
): Promise<SuppressionRow[]> => {
  const { environment, nobody } = link;
  if (nobody)
    return nobody.channel === channel
      ? context.db.find(suppressions, { environmentId: environment.id, ...nobody, active: 1 })
      : [];
  const address = addressOn(link, channel);
  return address === null ? [] : activeSuppressions(context, environment.id, channel, address);
};

/** The contact's current consents on a channel, by topic. */
export const currentConsentsOn = async (
  db: Session,
  { contact }: Pick<ResolvedLink, 'contact'>,
  channel: Channel,
): Promise<Map<string, ConsentRow>> =>
  new Map((await db.find(consents, { contactId: contact.id, channel })).map((row) => [row.topic, row]));

/**
 * The topics that a person can choose on a channel: the public ones, and the topic of the message that the link is in,
 * because people must be able to unsubscribe from what they receive.
 */
export const visibleTopics = (
  all: readonly TopicRow[],
  channel: Channel,
  { message }: Pick<ResolvedLink, 'message'>,
): TopicRow[] =>
  all.filter(
    (topic) =>
      topic.archivedAt === null &&
      channelsOf(topic).includes(channel) &&
      (topic.isPublic || (message?.channel === channel && message.topic === topic.topic)),
  );

/** The words that the page shows for a topic. Consent records store them as evidence of what a person agreed to. */
export const wordingOf = ({ name, description }: TopicRow): string =>
  description === null || description === '' ? name : `${name}: ${description}`;

/** Preferences as they appear in events; replies and the page show them as `maskedPreferences`. */
export async function presentPreferences(
  context: Pick<Context, 'db' | 'vault' | 'use'>,
  link: ResolvedLink,
): Promise<PreferencesValue> {
  const { contact, environment } = link;
  const { project } = await context.use(directory).describe(environment);
  const all = await topicsOf(context.db, environment.id);
  return {
    environmentId: environment.id,
    projectName: project.name,
    email: contact.email,
    phone: contact.phone,
    channels: {
      email: await presentChannel(context, link, 'email', all),
      sms: await presentChannel(context, link, 'sms', all),
    },
  };
}

/**
 * Preferences as the holder of a link sees them, with addresses that their owner recognizes and others cannot read,
 * because links are forwarded.
 */
export const maskedPreferences = (preferences: PreferencesValue): PreferencesValue => ({
  ...preferences,
  email: preferences.email === null ? null : maskedEmail(preferences.email),
  phone: preferences.phone === null ? null : `${preferences.phone.slice(0, 3)}•••${preferences.phone.slice(-2)}`,
});

/** An address that its owner recognizes and others cannot read. */
export function maskedEmail(email: string): string {
  const [first = ''] = email;
  return `${first}•••${email.slice(email.lastIndexOf('@'))}`;
}

async function presentChannel(
  context: Pick<Context, 'db' | 'vault'>,
  link: ResolvedLink,
  channel: Channel,
  all: readonly TopicRow[],
): Promise<PreferencesValue['channels']['email']> {
  if (addressOn(link, channel) === null && link.nobody?.channel !== channel)
    return { topics: [], unsubscribedAll: false, suppressionReason: null };
  const current = await currentConsentsOn(context.db, link, channel);
  const reasons = (await activeSuppressionsOn(context, link, channel)).map(({ reason }) => reason);
  // If a topic were shown as subscribed, a client that sends it back would subscribe to it, which lifts the
  // suppression.
  const isUnsubscribed = reasons.some(isUndoneByPreferences);
  return {
    topics: (link.nobody ? [] : visibleTopics(all, channel, link)).map(({ topic, name, description }) => ({
      key: topic,
      name,
      description,
      subscribed: !isUnsubscribed && current.get(topic)?.state === 'granted',
    })),
    unsubscribedAll: reasons.some(isPersonalReason),
    suppressionReason: reasonsToShow.find((reason) => reasons.includes(reason)) ?? null,
  };
}
