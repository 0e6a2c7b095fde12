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
  defaultNumberId: 'The number that texts leave from; null for the deployment’s own.',
  quietHours:
    'When texts of broadcasts and automations wait, by the recipient’s clock. Single texts and codes never wait.',
  quietEnabled: 'Whether there are quiet hours. Naming hours alone does not turn them on.',
  from: 'When they begin, as hh:mm.',
  to: 'When they end, as hh:mm. Before `from`, it is the next day’s.',
  keywords: 'Words of your own, beside the usual ones. A text is a keyword when it says nothing else.',
  stop: 'End all texts to the sender.',
  start: 'Allow texts again.',
  help: 'Ask who is writing.',
  replies:
    'What is answered to keywords, word for word and without variables; null for the template’s text in the recipient’s language.',
  maxSegments: 'The most segments of one text.',
  consentByStart: 'The topic that a START text grants; null for none.',
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
