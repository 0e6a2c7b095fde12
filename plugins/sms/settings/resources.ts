import { clockTimePattern } from '#core/kernel/schema/patterns.js';
import {
  filledText,
  integer,
  list,
  named,
  nullable,
  object,
  text,
  uuid,
  boolean,
  optional,
  optionalWith,
} from '#core/kernel/schema/schema.js';
import type { Schema, ValueOf } from '#core/kernel/schema/schema.js';

/**
 * The purpose of each setting: the same words in the reply that shows the settings and in the call that changes them.
 */
const words = {
  defaultNumberId: 'The number that messages are sent from; null for the deployment’s number.',
  quietHours:
    'When messages of broadcasts and automations wait, in the recipient’s local time. Single messages and codes never wait.',
  quietEnabled: 'Whether quiet hours apply. Setting the hours does not turn them on.',
  from: 'When they start, as hh:mm.',
  to: 'When they end, as hh:mm. If earlier than `from`, they end on the next day.',
  keywords:
    'Your own keywords, in addition to the built-in ones. A message is a keyword only if it contains nothing else.',
  stop: 'Opt the sender out of all messages.',
  start: 'Opt the sender in again.',
  help: 'Ask who is sending.',
  replies:
    'The replies to keywords, verbatim and without variables; null for the template’s text in the recipient’s language.',
  maxSegments: 'The maximum number of segments per message.',
  consentByStart: 'The topic that START grants; null for none.',
} as const;

const clockTime = (description: string): Schema<string> => text(description, { pattern: clockTimePattern });
const keywordList = (description: string): Schema<string[]> =>
  list(filledText('The word, in any case.', 40), description, { maxItems: 20 });
const reply = (description: string): Schema<string | null> => nullable(filledText(description, 320));
const maxSegments = integer(words.maxSegments, { minimum: 1, maximum: 10 });
const consentByStart = nullable(filledText(words.consentByStart, 64));
const defaultNumberId = nullable(uuid(words.defaultNumberId));

const quietHours = { enabled: boolean(words.quietEnabled), from: clockTime(words.from), to: clockTime(words.to) };
const keywords = { stop: keywordList(words.stop), start: keywordList(words.start), help: keywordList(words.help) };
const replies = { stop: reply(words.stop), start: reply(words.start), help: reply(words.help) };

export const SmsSettings = named(
  'SmsSettings',
  object(
    {
      defaultNumberId,
      quietHours: object(quietHours, { description: words.quietHours }),
      keywords: object(keywords, { description: words.keywords }),
      replies: object(replies, { description: words.replies }),
      maxSegments,
      consentByStart,
    },
    { description: 'The text settings of an environment.' },
  ),
);
export type SmsSettingsValue = ValueOf<typeof SmsSettings>;

/** What sms.settings.set takes. */
export const settingsPatch = {
  defaultNumberId: optional(defaultNumberId),
  quietHours: optional(
    object(
      { enabled: optional(quietHours.enabled), from: optional(quietHours.from), to: optional(quietHours.to) },
      { description: words.quietHours },
    ),
  ),
  keywords: optional(
    object(
      { stop: optional(keywords.stop), start: optional(keywords.start), help: optional(keywords.help) },
      { description: words.keywords },
    ),
  ),
  replies: optional(
    object(
      { stop: optional(replies.stop), start: optional(replies.start), help: optional(replies.help) },
      { description: words.replies },
    ),
  ),
  maxSegments: optional(maxSegments),
  consentByStart: optionalWith('audience', consentByStart),
};
