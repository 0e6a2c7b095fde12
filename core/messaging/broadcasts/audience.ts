import type { SystemTemplate } from '#core/kernel/system-template.js';

export type MessagingChannel = SystemTemplate['channel'];

export interface AudienceCounts {
  readonly eligible: number;
  readonly noConsent: number;
  readonly suppressed: number;
  /** Those who are eligible by the country of their number (ISO 3166-1 alpha-2; null for none), on channels that have numbers; else empty. */
  readonly eligibleByCountry: ReadonlyMap<string | null, number>;
  /** Those who are eligible and do not have a property, by the names that were asked for. */
  readonly eligibleWithout: ReadonlyMap<string, number>;
  /** False where counting stopped before the end: there are at least so many. */
  readonly isExact: boolean;
}

/** How long readiness counts, in milliseconds. */
export const countedForMs = 4_000;

/** The audience of a broadcast whose segment was deleted. */
export const nobody: AudienceCounts = {
  eligible: 0,
  noConsent: 0,
  suppressed: 0,
  eligibleByCountry: new Map(),
  eligibleWithout: new Map(),
  isExact: true,
};

/** The counts as replies have them. */
export const shownAudience = ({
  eligible,
  noConsent,
  suppressed,
  isExact,
}: AudienceCounts): { eligible: number; noConsent: number; suppressed: number; exact: boolean } => ({
  eligible,
  noConsent,
  suppressed,
  exact: isExact,
});

/** What is asked about the audience of a broadcast. The ports of the audience product answer it. */
export interface BroadcastAudience {
  /** @returns by key; those that the environment does not have are absent */
  topicFacts(
    environmentId: string,
    topics: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly channels: readonly MessagingChannel[]; readonly archived: boolean }>>;
  hasSegment(environmentId: string, segmentId: string): Promise<boolean>;
  countAudience(
    environmentId: string,
    purpose: { channel: MessagingChannel; topic: string },
    segmentId: string | null,
    options?: { readonly withinMs?: number | undefined; readonly properties?: readonly string[] | undefined },
  ): Promise<AudienceCounts>;
}

export interface AudienceProperties {
  /** Which of these properties at least one contact has. */
  knownProperties(environmentId: string, names: readonly string[]): Promise<ReadonlySet<string>>;
}
