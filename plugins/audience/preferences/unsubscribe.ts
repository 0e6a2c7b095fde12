import type { Change, Context } from '#core/kernel/context.js';
import { changesIn, revokeConsents } from '../consents/append.js';
import { revocableTopics } from '../consents/revoke-topics.js';
import type { ConsentClaim } from '../consents/plan.js';
import type { Channel } from '../ports.js';
import { addSuppression } from '../suppressions/store.js';
import type { TopicRow } from '../tables/topic.js';
import { addressOn } from './present.js';
import type { ResolvedLink } from './token.js';
import type { ChannelResult } from './result.js';

export type PreferencesContext = Context<
  'audience.consent.granted' | 'audience.consent.revoked' | 'audience.suppression.added' | 'audience.suppression.lifted'
>;

/** The `source` of consent records made through a preferences link, by svc's page or the customer's own. */
const preferencesLink = 'preferences link';

/** A claim made by the person. */
export const personalClaim = (
  { caller }: PreferencesContext,
  { contact }: ResolvedLink,
  channel: Channel,
  { topic }: TopicRow,
  { wording, givenAt }: { wording: string | null; givenAt: Date },
): Omit<ConsentClaim, 'state'> => ({
  contact,
  channel,
  topic,
  ip: caller.request.ip,
  source: caller.request.via ?? preferencesLink,
  wording,
  givenAt,
});

/**
 * Revokes topics, including those that were never granted, so that older evidence found later does not count.
 * @returns keys of the topics that got a record, and the changes of state
 */
export async function revokeByPerson(
  context: PreferencesContext,
  link: ResolvedLink,
  channel: Channel,
  topics: readonly TopicRow[],
): Promise<{ keys: string[]; changes: Change[] }> {
  const givenAt = context.clock.now();
  // A revocation does not have a wording: nobody agreed to anything.
  const claims = topics.map((topic) => ({
    ...personalClaim(context, link, channel, topic, { wording: null, givenAt }),
    state: 'revoked' as const,
  }));
  const results = await revokeConsents(context, claims);
  return { keys: results.flatMap(({ record }) => record?.topic ?? []), changes: changesIn(results) };
}

/**
 * Unsubscribes from a channel: suppresses the address and revokes every topic, including archived ones, which may be
 * restored.
 */
export async function unsubscribeAll(
  context: PreferencesContext,
  link: ResolvedLink,
  channel: Channel,
  topics: readonly TopicRow[],
): Promise<ChannelResult> {
  const address = addressOn(link, channel);
  const { added } =
    address === null
      ? { added: false }
      : await addSuppression(context, link.environment.id, { channel, address, reason: 'unsubscribe', note: null });
  const revocable = await revocableTopics(context.db, link.contact, channel, topics);
  const revoked = await revokeByPerson(context, link, channel, revocable);
  return {
    channel,
    granted: [],
    revoked: revoked.keys,
    unsubscribedAll: added,
    lifted: false,
    consents: revoked.changes,
  };
}
