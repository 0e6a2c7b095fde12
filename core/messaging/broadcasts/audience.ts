import type { SystemTemplate } from '#core/kernel/system-template.js';

export type MessagingChannel = SystemTemplate['channel'];

export interface AudienceCounts {
  readonly eligible: number;
  readonly noConsent: number;
  readonly suppressed: number;
  /** Those who are eligible by the country of their number (ISO 3166-1 alpha-2; null for none), on channels that have numbers; else empty. */
  readonly eligibleByCountry: ReadonlyMap<string | null, number>;
}

/** The counts as replies have them. */
export const shownAudience = (counts: AudienceCounts | null): Omit<AudienceCounts, 'eligibleByCountry'> | null =>
  counts && { eligible: counts.eligible, noConsent: counts.noConsent, suppressed: counts.suppressed };

/** What is asked about the audience of a broadcast. The ports of the audience product answer it. */
export interface BroadcastAudience {
  /** @returns by key; those that the environment does not have are absent */
  topicFacts(
    environmentId: string,
    topics: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly channels: readonly MessagingChannel[]; readonly archived: boolean }>>;
  hasSegment(environmentId: string, segmentId: string): Promise<boolean>;
  /** @returns null when counting takes too long */
  countAudience(
    environmentId: string,
    purpose: { channel: MessagingChannel; topic: string },
    segmentId: string | null,
  ): Promise<AudienceCounts | null>;
}

export interface AudienceProperties {
  /** Which of these properties at least one contact has. */
  knownProperties(environmentId: string, names: readonly string[]): Promise<ReadonlySet<string>>;
}
