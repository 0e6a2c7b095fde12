import type { Environment } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';
import type { BlockedBy } from '#core/messaging/blocked.js';
import type { Rows } from '#core/runtime/database/rows.js';
import type { Statement } from '#core/runtime/database/statement.js';

export type Channel = 'email' | 'sms';

export type SuppressionReason = 'bounce' | 'complaint' | 'unsubscribe' | 'stop' | 'manual';

/**
 * Why an address may not be sent a message. `no_consent`: the contact has not granted the topic on the channel.
 * `topic_archived` and `topic_channel_missing`: nobody can be sent anything under the topic on the channel.
 */
export type BlockReason = 'suppressed_recipient' | 'no_consent' | 'topic_archived' | 'topic_channel_missing';

/** Whether one address may be sent a message. */
export interface Eligibility {
  /** The address or number, as the caller wrote it. */
  address: string;
  /** The contact with this address; null if there is none. */
  contactId: string | null;
  /** Null if the message may be sent. */
  blockReason: BlockReason | null;
  /** The reason of the suppression that blocks it; null unless `blockReason` is `suppressed_recipient`. */
  suppressionReason: SuppressionReason | null;
  /** The rule and the record that block it; null if the message may be sent. */
  blockedBy: BlockedBy | null;
}

/** The channel of a message, and the topic it is sent under. */
export interface MessageTopic {
  channel: Channel;
  /** The topic's key; null for a message that needs no subscription, such as a receipt. */
  topic: string | null;
}

/** The kind of message. It determines which suppressions apply and whether consent is needed. */
export interface SendPurpose extends MessageTopic {
  /** Sent by the service itself: sign-in codes, invitations, security notices. Never under a topic. */
  system: boolean;
}

/**
 * Who may be sent a message. Senders check when they accept a message and again right before it is sent
 * (docs/interface.md, Access 5).
 */
export interface Recipients {
  /**
   * Checks addresses against suppressions and, under a topic, consent. `bounce` and `stop` block every message,
   * `complaint` and `manual` all but system messages, `unsubscribe` only messages under a topic.
   * @returns one result per address, in the order of `addresses`
   */
  eligibilityOf(environmentId: string, purpose: SendPurpose, addresses: readonly string[]): Promise<Eligibility[]>;
  /** @throws not_found, topic_archived if nothing can be sent under the topic */
  mustBeSendable(environmentId: string, topic: string): Promise<void>;
  /**
   * What readiness checks need to know about topics. @returns by key; topics that the environment does not have are
   * absent
   */
  topicFacts(environmentId: string, topics: readonly string[]): Promise<ReadonlyMap<string, TopicFacts>>;
  /**
   * The next contacts of an environment in the order of their ids, for work that goes through all of them in batches.
   * @param segmentId leaves out contacts that an index knows to be outside of it; null for all contacts
   * @param after the end of the batch before; null for the first one
   * @returns the batch's range of ids; null when no contact is left
   */
  contactsAfter(
    environmentId: string,
    segmentId: string | null,
    after: string | null,
    count: number,
  ): Promise<ContactRange | null>;
  /**
   * Counts the people that a message under a topic would reach, among the contacts that have an address on the channel.
   * @param segmentId counts within a segment; null for all contacts
   */
  countAudience(
    environmentId: string,
    purpose: { channel: Channel; topic: string },
    segmentId: string | null,
    options?: CountOptions,
  ): Promise<AudienceCounts>;
  /**
   * The contacts of a range, for a batch of work that goes through all of them.
   * @param segmentId limits them to a segment; null for all contacts
   * @param range as `contactsAfter` gives it
   * @returns `eligible`: every contact that `eligibilityOf` allows for the topic, as SQL to embed as a derived table;
   * no row passes through this process. `counts`: all of them, as `countAudience` counts.
   * @throws not_found if the segment does not exist
   */
  recipientsIn(
    environmentId: string,
    purpose: { channel: Channel; topic: string },
    segmentId: string | null,
    range: ContactRange,
  ): Promise<{ readonly eligible: Rows<'contact_id' | 'address'>; readonly counts: AudienceCounts }>;
  /**
   * Whether a contact still has an address and may be sent a message under a topic there now, as a condition of SQL:
   * the rule of `eligibilityOf`, for many messages in one statement.
   * @param columns SQL of the contact's id and of the address, in the form in which it is compared (mailboxKey)
   */
  mayGet(
    environmentId: string,
    purpose: { channel: Channel; topic: string },
    columns: { readonly contactId: string; readonly addressKey: string },
  ): Statement;
  /**
   * Stores when contacts were last sent a message, in the transaction that records it: what the consumer of
   * `email.sent` does, for many at once.
   * @param contacts SELECT of their ids, `contact_id`
   * @returns the consumers that need not handle these events
   */
  noteSent(environmentId: string, channel: Channel, at: Date, contacts: Statement): Promise<readonly string[]>;
  /** Whether a segment exists and is not deleted. */
  hasSegment(environmentId: string, segmentId: string): Promise<boolean>;
  /**
   * The URL of a contact's preferences page for the link in a message. It never expires.
   * @param to the address that the message goes to: whoever has it when the link is used is unsubscribed
   */
  preferencesUrl(contactId: string, message: MessageTopic, to?: { environmentId: string; address: string }): string;
}

/** On which channels messages can be sent under a topic. */
export interface TopicFacts {
  channels: readonly Channel[];
  /** Nothing can be sent under an archived topic. */
  archived: boolean;
}

/** Contact ids above `after` (all ids, if it is null) up to and including `upTo`. */
export interface ContactRange {
  readonly after: string | null;
  readonly upTo: string;
}

/** How an audience is counted. */
export interface CountOptions {
  /** Counting stops after this many milliseconds; if it is absent, counting continues to the end. */
  readonly withinMs?: number | undefined;
  /** Counts the contacts above this id, at which an earlier count stopped (`reached`). */
  readonly after?: string | null | undefined;
  /** For each of these properties, also counts the eligible contacts that do not have it. */
  readonly properties?: readonly string[] | undefined;
}

/** Contacts with an address on a channel, each counted once: the suppressed first. */
export interface AudienceCounts {
  eligible: number;
  noConsent: number;
  /** Of `noConsent`: the contacts whose current record for the topic is an opt-out. */
  optedOut: number;
  suppressed: number;
  /**
   * The eligible contacts by the country of their number (ISO 3166-1 alpha-2; null for none); empty for channels
   * without numbers.
   */
  eligibleByCountry: ReadonlyMap<string | null, number>;
  /** The eligible contacts that do not have a property, by the names in `CountOptions.properties`. */
  eligibleWithout: ReadonlyMap<string, number>;
  /** False if counting stopped before the end: there are at least this many. */
  isExact: boolean;
  /** If it stopped before the end: the last contact that was looked at; null if none was. */
  reached?: string | null;
}

export const recipients = definePort<Recipients>('audience.recipients');

/** What templates, conditions and schedules of other products can use of a contact. */
export interface ContactFacts {
  id: string;
  email: string | null;
  phone: string | null;
  firstName: string | null;
  lastName: string | null;
  locale: string | null;
  timeZone: string | null;
  properties: Readonly<Record<string, string | number | boolean>>;
}

export interface Contacts {
  /** Reads many contacts together. @returns by id; contacts that do not exist in the environment are absent */
  facts(environmentId: string, contactIds: readonly string[]): Promise<ReadonlyMap<string, ContactFacts>>;
  /**
   * The current consents of contacts to some topics.
   * @returns by contact, then by `<channel>.<topic>`; true for granted, false for revoked, absent if nothing was ever
   * recorded
   */
  consents(
    environmentId: string,
    contactIds: readonly string[],
    topics: readonly { channel: Channel; topic: string }[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, boolean>>>;
  /**
   * The contacts that have these email addresses. @returns ids by address, as it was given; absent if no contact has it
   */
  idsByEmail(environmentId: string, addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Which of these properties at least one contact of the environment has. */
  knownProperties(environmentId: string, names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether an event of this name was ever recorded for a contact that the environment still has. */
  hasRecorded(environmentId: string, name: string): Promise<boolean>;
  /**
   * Sets or removes properties as audience.contact.update does, and emits its events. Contacts are locked in the order
   * of their ids.
   * @returns the result of each change, in their order
   */
  setProperties(environment: Environment, changes: readonly PropertyChange[]): Promise<PropertyOutcome[]>;
}

/** A property to set on behalf of a process that an earlier call started. */
export interface PropertyChange {
  contactId: string;
  key: string;
  /** Null removes the property. */
  value: string | number | boolean | null;
  /** The audit record of the call that started the process; its event refers to it. */
  activityId: string | null;
}

/** `no_contact`: it was erased. `refused`: the contact would have too many properties. */
export type PropertyOutcome = 'set' | 'unchanged' | 'no_contact' | 'refused';

export const contacts = definePort<Contacts>('audience.contacts');

/** How many contacts environments have, for billing. */
export interface ContactCounts {
  /** The contacts of an environment that were created before a time. @returns null if audience is not enabled */
  count(environmentId: string, before: Date): Promise<number | null>;
}

export const contactCounts = definePort<ContactCounts>('audience.contactCounts');

/** Adds suppressions on behalf of the products that send. */
export interface Suppressions {
  /** Adds a suppression and emits its event. Does nothing if the address is already suppressed for this reason. */
  add(environment: Environment, suppression: NewSuppression): Promise<void>;
}

export interface NewSuppression {
  channel: Channel;
  address: string;
  reason: SuppressionReason;
  note: string | null;
}

export const suppressions = definePort<Suppressions>('audience.suppressions');

/** What a person decides by texting STOP or START to a number. Both emit their events in the given environment. */
export interface TextChoices {
  /** Whether a number is suppressed by STOP, and the contact that has it. */
  stateOf(environmentId: string, number: string): Promise<{ stopped: boolean; contactId: string | null }>;
  /**
   * STOP: suppresses the number for every text, and revokes every topic of its contact on sms. If the number is already
   * stopped, it revokes what the person has subscribed to since.
   * @returns whether it was not stopped before
   */
  stop(environment: Environment, number: string): Promise<{ stopped: boolean }>;
  /**
   * START: lifts STOP's suppression and grants the topics again that STOP revoked, and no others. With `topic`, that
   * one is granted too, to the contact with the number, who is created if there is none. A topic that cannot be granted
   * is left out.
   * @returns whether a suppression was lifted, the topics that are granted now and were not before, and the contact
   */
  start(
    environment: Environment,
    text: { number: string; wording: string; topic: string | null },
  ): Promise<{ lifted: boolean; granted: readonly string[]; contactId: string | null }>;
}

export const textChoices = definePort<TextChoices>('audience.textChoices');

/**
 * The stand-in if audience is not enabled: nothing stores who texted STOP, so STOP changes nothing and must not be
 * confirmed.
 */
export const noTextChoices = (): TextChoices => ({
  stateOf: () => Promise.resolve({ stopped: false, contactId: null }),
  stop: () => Promise.resolve({ stopped: false }),
  start: () => Promise.resolve({ lifted: false, granted: [], contactId: null }),
});

/**
 * References to topics and segments: one that an open broadcast or active automation refers to can be neither archived
 * nor deleted.
 */
export interface AudienceReferences {
  /** @throws not_found, topic_archived for a topic or segment that cannot be used */
  markReferenced(environmentId: string, target: ReferenceTarget, referrer: { type: string; id: string }): Promise<void>;
  /**
   * Records that something open names a topic that is missing or archived: once the topic can be used, it is
   * referenced.
   */
  markTopicNamed(environmentId: string, topic: string, referrer: { type: string; id: string }): Promise<void>;
  /** Removes every reference by this broadcast or automation. */
  freeReferences(referrerId: string): Promise<void>;
}

export type ReferenceTarget = { topic: string } | { segmentId: string };

export const audienceReferences = definePort<AudienceReferences>('audience.usage');

/** Something that a contact did in the customer's product, as audience.event.record reports it. */
export interface RecordedEvent {
  environment: Environment;
  contactId: string;
  name: string;
  properties: Readonly<Record<string, unknown>>;
  occurredAt: Date;
}

/** Called by audience.event.record, in the transaction that records the event. */
export interface EventTriggers {
  /** @returns ids of the automations that enrolled the contact */
  recorded(event: RecordedEvent): Promise<string[]>;
}

export const eventTriggers = definePort<EventTriggers>('audience.eventTriggers');

/* Stand-ins for products that send, if audience is not enabled. */

const nobody: AudienceCounts = {
  ...{ eligible: 0, noConsent: 0, optedOut: 0, suppressed: 0 },
  ...{ eligibleByCountry: new Map(), eligibleWithout: new Map(), isExact: true },
};

/** The stand-in if audience is not enabled: nobody has unsubscribed, and no topics exist. */
export const allowAll = (): Recipients => ({
  eligibilityOf: (_environmentId, _purpose, addresses) =>
    Promise.resolve(
      addresses.map((address) => ({
        address,
        contactId: null,
        blockReason: null,
        suppressionReason: null,
        blockedBy: null,
      })),
    ),
  mustBeSendable: () => Promise.resolve(),
  topicFacts: () => Promise.resolve(new Map()),
  contactsAfter: () => Promise.resolve(null),
  countAudience: () => Promise.resolve(nobody),
  recipientsIn: () =>
    Promise.resolve({
      eligible: {
        sql: 'SELECT NULL AS contact_id, NULL AS address LIMIT 0',
        parameters: [],
        columns: ['contact_id', 'address'],
      },
      counts: nobody,
    }),
  mayGet: () => ({ sql: 'TRUE', parameters: [] }),
  noteSent: () => Promise.resolve([]),
  hasSegment: () => Promise.resolve(false),
  preferencesUrl: () => '',
});

/** The stand-in if audience is not enabled: nothing is suppressed. */
export const noSuppressions = (): Suppressions => ({
  add: () => Promise.resolve(),
});

/** The stand-in if audience is not enabled: no contacts exist. */
export const noContacts = (): Contacts => ({
  facts: () => Promise.resolve(new Map()),
  consents: () => Promise.resolve(new Map()),
  idsByEmail: () => Promise.resolve(new Map()),
  knownProperties: () => Promise.resolve(new Set()),
  hasRecorded: () => Promise.resolve(false),
  setProperties: (_environment, changes) => Promise.resolve(changes.map(() => 'no_contact')),
});

/** The stand-in if audience is not enabled: there is nothing to mark. */
export const noReferences = (): AudienceReferences => ({
  markReferenced: () => Promise.resolve(),
  markTopicNamed: () => Promise.resolve(),
  freeReferences: () => Promise.resolve(),
});

/** Restores access for an operator who has no working key or session: see `npm run bootstrap -- --unsuppress`. */
export interface BouncedMail {
  /**
   * Lifts the suppression that a bounce left on an address in the dashboard's environment, so that sign-in codes are
   * sent to it again. Writes the audit record. Repeating it changes nothing.
   * @returns whether the address was suppressed; null without a dashboard, because auth is not enabled
   */
  allowInDashboard(address: string): Promise<boolean | null>;
}

export const bouncedMail = definePort<BouncedMail>('audience.bouncedMail');
