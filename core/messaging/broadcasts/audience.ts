import type { SystemTemplate } from '#core/kernel/system-template.js';

export type MessagingChannel = SystemTemplate['channel'];

export interface AudienceCounts {
  readonly eligible: number;
  readonly noConsent: number;
  readonly suppressed: number;
}

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
