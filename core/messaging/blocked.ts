import {
  dateTime,
  nullable,
  object,
  oneOf,
  text,
  uuid,
  type Schema,
  type ValueOf,
} from '#core/kernel/schema/schema.js';

/*
 * Why an address may not be sent a message: the rule and the record that stopped it, as the audience product decides
 * it, as messages and the histories of automations keep it, and as replies explain it.
 */

/** The rules that stop a message. */
export const blockRules = [
  'never_asked',
  'opted_out',
  'suppressed',
  'topic_archived',
  'topic_channel_missing',
  'no_address',
  'address_changed',
] as const;
export type BlockRule = (typeof blockRules)[number];

/** The rule that stops a message to an address, and the record that it is based on. */
export interface BlockedBy {
  readonly rule: BlockRule;
  /** Such as `email`. */
  readonly channel: string;
  /** The topic of the message; null for a message without one. */
  readonly topic: string | null;
  /** The consent record or the suppression; null if there is none. */
  readonly recordId: string | null;
  /** When the person opted out, or the address was suppressed, in ISO 8601; null without a record. */
  readonly since: string | null;
  /** Where the person opted out, or the reason for the suppression; null without a record. */
  readonly source: string | null;
}

const meanings =
  'never_asked: no consent to the topic is recorded; opted_out: the person unsubscribed from the topic; suppressed: the address is suppressed; topic_archived: the topic is archived; topic_channel_missing: the topic does not have the channel; no_address: the contact has no address on the channel; address_changed: the contact no longer has the address that the message was made for.';

/** The rule that stops a message, in replies. @param lead the beginning of the description, before the meanings */
export const blockRule = (lead = ''): Schema<BlockRule> => oneOf(blockRules, lead + meanings);

/** What stopped a message, in replies. */
export const blockedDetails = nullable(
  object(
    {
      rule: blockRule(),
      since: nullable(
        dateTime('When the person opted out, or the address was suppressed; null if there is no record.'),
      ),
      source: nullable(
        text(
          'Where the person opted out, such as a form, or the reason for the suppression; null if there is no record.',
        ),
      ),
      recordId: nullable(uuid('The consent record or the suppression; null if there is none.')),
    },
    {
      description:
        'The rule and the record that blocked it; null if something else blocked it, and for messages stored by earlier versions.',
    },
  ),
);

/** What replies state about a message or a step that was stopped, in addition to its reason. */
export const blockedFields = {
  message: text('What blocked it, in words.'),
  fix: text('The next step.'),
  details: blockedDetails,
} as const;

/** What stopped a step of an automation or an event about it. */
export const BlockedStep = object(blockedFields, {
  description: 'The consent or suppression that blocked it; null if something else did.',
});

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const on = (since: string | null): string => (since === null ? '' : ` on ${day.format(new Date(since))}`);
const from = (source: string | null): string => (source === null ? '' : ` (source: ${source})`);

/** What stopped a message and what to do about it, in words. */
export function explainBlock({ rule, channel, topic, since, source }: BlockedBy): { message: string; fix: string } {
  const under = topic === null ? 'the topic' : `the topic “${topic}”`;
  const address = channel === 'sms' ? 'number' : 'address';
  switch (rule) {
    case 'never_asked':
      return {
        message: `No consent to ${under} on ${channel} is recorded for this ${address}.`,
        fix: `Record the consent with audience.consent.grant (channel ${channel}) once the person has given it, then send again. If the person is not a contact yet, create the contact with audience.contact.upsert first.`,
      };
    case 'opted_out':
      return {
        message: `The contact unsubscribed from ${under} on ${channel}${on(since)}${from(source)}.`,
        fix: `Do not send it: only the contact can undo this. They can resubscribe on their preferences page (audience.preferences.link). If they have ${since === null ? '' : 'since '}consented elsewhere, record it with audience.consent.grant.`,
      };
    case 'suppressed':
      return {
        message: `The ${address} is suppressed${since === null ? '' : ` since ${day.format(new Date(since))}`}${source === null ? '' : ` (reason: ${source})`}.`,
        fix: liftingOf(source),
      };
    case 'topic_archived':
      return {
        message: `${capital(under)} is archived.`,
        fix: 'Restore it with audience.topic.restore, then send again, or send under another topic.',
      };
    case 'topic_channel_missing':
      return {
        message: `${capital(under)} does not have the channel ${channel}.`,
        fix: `Add the channel ${channel} to it with audience.topic.update and record consents with audience.consent.grant, or send under another topic.`,
      };
    case 'no_address':
      return {
        message: `The contact has no ${channel === 'sms' ? 'phone number' : 'email address'}.`,
        fix: `Add it with audience.contact.update (${channel === 'sms' ? 'phone' : 'email'}).`,
      };
    case 'address_changed':
      return {
        message: `The contact’s ${channel === 'sms' ? 'phone number' : 'email address'} changed after the message was made.`,
        fix: 'If the contact should still get it, send it again: it goes to the current address.',
      };
  }
}

/** Who can lift a suppression, by its reason, and how. */
function liftingOf(reason: string | null): string {
  switch (reason) {
    case 'stop':
      return 'Only the person can lift it, by texting START to the number that your messages come from.';
    case 'unsubscribe':
    case 'complaint':
      return 'Only the person can lift it, on their preferences page: create a link with audience.preferences.link and send it through another channel.';
    case 'bounce':
    case 'manual':
      return 'Lift it with audience.suppression.lift once the address can be reached again; audience.suppression.list shows it.';
    default:
      return 'Call audience.suppression.list to see why; only some suppressions can be lifted.';
  }
}

/** The same for only a rule, if the record that it was based on is unknown. */
export const explainRule = (rule: BlockRule, channel: BlockedBy['channel']): { message: string; fix: string } =>
  explainBlock({ rule, channel, topic: null, recordId: null, since: null, source: null });

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** The rule and the record that stopped a message, as replies show them. */
export const presentDetails = (by: BlockedBy | null): ValueOf<typeof blockedDetails> =>
  by && { rule: by.rule, since: by.since, source: by.source, recordId: by.recordId };

/** What stopped a step; null if it was neither consent nor a suppression. */
export const presentBlockedStep = (by: BlockedBy | null): ValueOf<typeof BlockedStep> | null =>
  by && { ...explainBlock(by), details: presentDetails(by) };

/** An opt-out in examples. */
export const exampleBlock = (channel: BlockedBy['channel']): ValueOf<typeof BlockedStep> | null =>
  presentBlockedStep({
    rule: 'opted_out',
    channel,
    topic: 'news',
    recordId: '01890a5d-ac96-774b-bcce-b302099a8710',
    since: '2026-11-03T09:30:00.000Z',
    source: 'preferences link',
  });
