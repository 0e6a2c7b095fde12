import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Context } from '#core/kernel/context.js';
import type { Session } from '#core/runtime/database/session.js';
import { directory } from '#plugins/account/ports.js';
import type { Channel, SuppressionReason } from '../ports.js';
import type { Preferences } from '../resources.js';
import { consents, type ConsentRow } from '../tables/consent.js';
import type { SuppressionRow } from '../tables/suppression.js';
import type { TopicRow } from '../tables/topic.js';
import { isPersonsWish } from '../consents/state.js';
import { standingOf } from '../suppressions/write.js';
import type { Holder } from './resolve-link.js';
import { shownOn, topicsOf } from './topics.js';

export type PreferencesValue = ValueOf<typeof Preferences>;

/** The person's wish first, and of those STOP, which they end elsewhere; then what is not theirs to end. */
const mostTelling: readonly SuppressionReason[] = ['stop', 'unsubscribe', 'complaint', 'bounce', 'manual'];

/** What the person can undo where they are: STOP is undone by texting START alone. */
export const isUndoneHere = (reason: SuppressionReason): boolean => isPersonsWish(reason) && reason !== 'stop';

/** The address or number of a channel. */
export const addressOn = ({ contact }: Pick<Holder, 'contact'>, channel: Channel): string | null =>
  channel === 'email' ? contact.email : contact.phone;

/** The suppressions of the person's address that stand on a channel. */
export const suppressionsOn = async (
  context: Pick<Context, 'db' | 'vault'>,
  holder: Holder,
  channel: Channel,
): Promise<SuppressionRow[]> => {
  const address = addressOn(holder, channel);
  return address === null ? [] : standingOf(context, holder.environment.id, channel, address);
};

/** Where the person stands on each topic they ever said something about. */
export const standingsOn = async (db: Session, { contact }: Pick<Holder, 'contact'>, channel: Channel) =>
  new Map(
    (await db.find(consents, { contactId: contact.id, channel })).map((row): [string, ConsentRow] => [row.topic, row]),
  );

/** What the preferences page shows, as replies and events carry it. */
export async function presentPreferences(
  context: Pick<Context, 'db' | 'vault' | 'use'>,
  holder: Holder,
): Promise<PreferencesValue> {
  const { contact, environment } = holder;
  const { project } = await context.use(directory).describe(environment);
  const all = await topicsOf(context.db, environment.id);
  return {
    environmentId: environment.id,
    projectName: project.name,
    email: contact.email,
    phone: contact.phone,
    channels: {
      email: await presentChannel(context, holder, 'email', all),
      sms: await presentChannel(context, holder, 'sms', all),
    },
  };
}

async function presentChannel(
  context: Pick<Context, 'db' | 'vault'>,
  holder: Holder,
  channel: Channel,
  all: readonly TopicRow[],
): Promise<PreferencesValue['channels']['email']> {
  if (addressOn(holder, channel) === null) return { topics: [], unsubscribedAll: false, suppressionReason: null };
  const standings = await standingsOn(context.db, holder, channel);
  const reasons = (await suppressionsOn(context, holder, channel)).map(({ reason }) => reason);
  // A consent under “nothing more” is none: shown as one, it would be taken for a wish to subscribe when it comes back.
  const silenced = reasons.some(isUndoneHere);
  return {
    topics: shownOn(all, channel, holder).map(({ topic, name, description }) => ({
      key: topic,
      name,
      description,
      subscribed: !silenced && standings.get(topic)?.state === 'granted',
    })),
    unsubscribedAll: reasons.some(isPersonsWish),
    suppressionReason: mostTelling.find((reason) => reasons.includes(reason)) ?? null,
  };
}
