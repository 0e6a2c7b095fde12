import type { SystemTemplate } from '../system-template.js';
import type { Rows } from '#core/runtime/database/rows.js';
import type { Statement } from '#core/runtime/database/statement.js';
import type { BroadcastFields } from '../broadcast-tables.js';

export type MessagingChannel = SystemTemplate['channel'];

export interface AudienceCounts {
  readonly eligible: number;
  readonly noConsent: number;
  /** Of `noConsent`: those who have opted out. */
  readonly optedOut: number;
  readonly suppressed: number;
  /**
   * Eligible contacts by the country of their number (ISO 3166-1 alpha-2; null for none), on channels that have
   * numbers; otherwise empty.
   */
  readonly eligibleByCountry: ReadonlyMap<string | null, number>;
  /** Eligible contacts without a property, by the requested property names. */
  readonly eligibleWithout: ReadonlyMap<string, number>;
  /** False if counting stopped before the end: the count is then a minimum. */
  readonly isExact: boolean;
  /** If it stopped before the end: the last contact that was looked at; null if none was. */
  readonly reached?: string | null;
}

/** How long readiness counts, in milliseconds. */
export const countedForMs = 4_000;

/** The audience of a broadcast whose segment was deleted. */
export const nobody: AudienceCounts = {
  eligible: 0,
  noConsent: 0,
  optedOut: 0,
  suppressed: 0,
  eligibleByCountry: new Map(),
  eligibleWithout: new Map(),
  isExact: true,
};

/** The counts as replies have them. @param countedAt when they were counted */
export const shownAudience = (
  { eligible, noConsent, optedOut, suppressed, isExact }: AudienceCounts,
  countedAt: Date,
): Pick<AudienceCounts, 'eligible' | 'noConsent' | 'optedOut' | 'suppressed'> & {
  exact: boolean;
  countedAt: string;
} => ({
  eligible,
  noConsent,
  optedOut,
  suppressed,
  exact: isExact,
  countedAt: countedAt.toISOString(),
});

/** The queries about the audience of a broadcast. The ports of the audience product answer them. */
export interface BroadcastAudience {
  /** @returns by key; keys that the environment does not have are absent */
  topicFacts(
    environmentId: string,
    topics: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly channels: readonly MessagingChannel[]; readonly archived: boolean }>>;
  hasSegment(environmentId: string, segmentId: string): Promise<boolean>;
  countAudience(
    environmentId: string,
    purpose: { channel: MessagingChannel; topic: string },
    segmentId: string | null,
    options?: {
      readonly withinMs?: number | undefined;
      readonly properties?: readonly string[] | undefined;
      readonly after?: string | null | undefined;
    },
  ): Promise<AudienceCounts>;
}

/** The ids of contacts above `after` (all, if it is null) up to and including `upTo`. */
export interface ContactBatch {
  readonly after: string | null;
  readonly upTo: string;
}

/** The queries about the contacts that a broadcast goes to, while its messages are created. */
export interface BroadcastRecipients extends BroadcastAudience {
  /**
   * @param segmentId leaves out contacts that are known to be outside of it; null for all contacts
   * @returns the next contacts in the order of their ids; null when none is left
   */
  contactsAfter(
    environmentId: string,
    segmentId: string | null,
    after: string | null,
    count: number,
  ): Promise<ContactBatch | null>;
  /** @returns the contacts of a batch who get the broadcast now, as SQL; and how many of the batch do not, and why */
  recipientsIn(
    environmentId: string,
    purpose: { channel: MessagingChannel; topic: string },
    segmentId: string | null,
    batch: ContactBatch,
  ): Promise<{
    readonly eligible: Rows<'contact_id' | 'address'>;
    readonly counts: Pick<AudienceCounts, 'noConsent' | 'optedOut' | 'suppressed'>;
  }>;
  /**
   * The same rule without the segment, as a condition of SQL on a message that is about to leave: its contact still has
   * the address that the message goes to, and may get it.
   * @param columns SQL of the contact's id and of the address, in the form in which it is compared
   */
  mayGet(
    environmentId: string,
    purpose: { channel: MessagingChannel; topic: string },
    columns: { readonly contactId: string; readonly addressKey: string },
  ): Statement;
  /**
   * Stores when contacts were last sent a message, as the event of a sent message has it stored.
   * @param contacts SELECT of their ids
   * @returns the consumers of those events that need not handle them any more
   */
  noteSent(environmentId: string, channel: MessagingChannel, at: Date, contacts: Statement): Promise<readonly string[]>;
}

/** Marks topics and segments as referenced. The ports of the audience product do it. */
interface BroadcastAudienceReferences {
  /** @throws not_found, topic_archived for a topic or segment that cannot be used */
  markReferenced(
    environmentId: string,
    target: { topic: string } | { segmentId: string },
    referrer: { type: string; id: string },
  ): Promise<void>;
}

/**
 * Marks the topic and the segment of a broadcast as referenced.
 * @throws not_found, topic_archived for one that cannot be used
 */
export async function markAudienceReferenced(
  references: BroadcastAudienceReferences,
  { id, environmentId, topic, segmentId }: Pick<BroadcastFields, 'id' | 'environmentId' | 'topic' | 'segmentId'>,
): Promise<void> {
  const broadcast = { type: 'broadcast', id };
  await references.markReferenced(environmentId, { topic }, broadcast);
  if (segmentId !== null) await references.markReferenced(environmentId, { segmentId }, broadcast);
}

/** Counts the contacts that a broadcast would reach now. */
export const countAudienceOf = (
  audience: Pick<BroadcastAudience, 'countAudience'>,
  channel: MessagingChannel,
  { environmentId, topic, segmentId }: Pick<BroadcastFields, 'environmentId' | 'topic' | 'segmentId'>,
  options?: { readonly withinMs: number },
): Promise<AudienceCounts> => audience.countAudience(environmentId, { channel, topic }, segmentId, options);

export interface AudienceProperties {
  /** Which of these properties at least one contact has. */
  knownProperties(environmentId: string, names: readonly string[]): Promise<ReadonlySet<string>>;
}
