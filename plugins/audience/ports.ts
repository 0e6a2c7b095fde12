import type { Environment } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';
import type { Rows } from '#core/runtime/database/rows.js';

export const channels = ['email', 'sms'] as const;
export type Channel = (typeof channels)[number];

export const suppressionReasons = ['bounce', 'complaint', 'unsubscribe', 'stop', 'manual'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** Why somebody may not be sent something. */
export type BlockReason = 'suppressed_recipient' | 'no_consent';

export interface Eligibility {
  /** The address or number, as it was asked about. */
  address: string;
  /** The contact behind it; null where nobody has it. */
  contactId: string | null;
  /** Null where it may be sent. */
  blockReason: BlockReason | null;
}

/** What is to be sent, for the question who may get it. */
export interface SendPurpose {
  channel: Channel;
  /** The topic's key; null for messages that no subscription is needed for, which suppressions alone forbid. */
  topic: string | null;
}

/** Who may be reached: asked when a message is accepted, and again as it leaves (specification, What the service does, 5). */
export interface Recipients {
  /** May these be sent this, now? One verdict for each address, in their order. */
  checkEligibility(environmentId: string, occasion: SendPurpose, addresses: readonly string[]): Promise<Eligibility[]>;
  /** @throws not_found, topic_archived: nothing can be sent under a topic that is not there */
  mustBeSendable(environmentId: string, topic: string): Promise<void>;
  /**
   * Everybody who may be sent this, now: the same rule for millions. Embed it as a derived table.
   * @throws not_found for a segment that is not there
   */
  eligibleRecipients(
    environmentId: string,
    occasion: SendPurpose & { topic: string },
    segmentId: string | null,
  ): Promise<Rows<'contact_id' | 'address'>>;
  /** The address of a contact's preferences page, for one message; it never expires. */
  preferencesUrl(contactId: string, occasion: SendPurpose): string;
}

export const recipients = definePort<Recipients>('audience.recipients');

/** How products tell that an address may not be reached any more, or may be again. */
export interface Suppressions {
  /** Writes the suppression with its event; nothing where the same one stands already. */
  add(environment: Environment, suppression: NewSuppression): Promise<void>;
  /** Ends what the person had asked for, because the person asks (a START text). */
  liftByPerson(environment: Environment, channel: Channel, address: string): Promise<void>;
}

export interface NewSuppression {
  channel: Channel;
  address: string;
  reason: SuppressionReason;
  note: string | null;
}

export const suppressions = definePort<Suppressions>('audience.suppressions');

/** What holds on to topics and segments: a topic or segment that an open broadcast uses is not archived or deleted under it. */
export interface AudienceUsage {
  /** @throws not_found for a topic or segment that is not there */
  hold(environmentId: string, target: UsageTarget, holder: { type: string; id: string }): Promise<void>;
  /** Lets go of everything that the holder holds. */
  release(holderId: string): Promise<void>;
}

export type UsageTarget = { topic: string } | { segmentId: string };

export const audienceUsage = definePort<AudienceUsage>('audience.holds');

/** Something that a contact did in the customer's product. */
export interface RecordedEvent {
  environment: Environment;
  contactId: string;
  name: string;
  properties: Readonly<Record<string, unknown>>;
  occurredAt: Date;
}

/** What audience.event.record sets off, in the transaction that records the event. */
export interface EventTriggers {
  /** @returns ids of the automations that the contact was enrolled in */
  recorded(event: RecordedEvent): Promise<string[]>;
}

export const eventTriggers = definePort<EventTriggers>('audience.eventTriggers');
