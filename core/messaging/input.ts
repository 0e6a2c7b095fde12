import { dayMs } from '#core/runtime/clock.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { scheduledTime } from '#core/kernel/schema/future-date.js';
import { requireJsonSize } from '#core/kernel/schema/json-size.js';
import { anything, dateTime, map, optional, text, type Schema } from '#core/kernel/schema/schema.js';

/** Fields that messages of every channel are sent with. */
export const sharedFields = {
  tags: optional(
    map(text(undefined, { minLength: 1, maxLength: 250 }), 'Your own labels, to find messages by.', {
      maxProperties: 10,
    }),
  ),
  sendAfter: optional(
    dateTime(
      'Do not send before this time, up to 30 days ahead. A time more than a minute in the past is refused; leave it out to send immediately.',
    ),
  ),
} as const;

const kibibyte = 1_024;

/**
 * The size limits for the variables of one message, and for those of a broadcast, which are rendered for each of its
 * recipients.
 */
const variableBytes = { message: 256 * kibibyte, broadcast: 32 * kibibyte } as const;
const maxVariables = 200;

/** The values of variables: any JSON. `requireVariableSize` bounds their size. */
export const variablesInput = (
  kind: keyof typeof variableBytes,
  description: string,
): Schema<Record<string, unknown>> =>
  map(
    anything(),
    `${description} At most ${maxVariables} of them, and ${variableBytes[kind] / kibibyte} KiB as JSON.`,
    {
      maxProperties: maxVariables,
    },
  );

/** @throws invalid_input naming `variables` */
export const requireVariableSize = (
  kind: keyof typeof variableBytes,
  variables: Readonly<Record<string, unknown>> = {},
): void => requireJsonSize('variables', variables, variableBytes[kind]);

/**
 * Whether a text contains a control character (C0, DEL or C1) or a lone surrogate. CR or LF in a header would start
 * another one; a lone surrogate cannot be encoded, and JSON columns refuse it.
 */
export const hasControls = (value: string): boolean => /[\p{Cc}\p{Cs}]/u.test(value);

/** A tag in the form in which it is stored and searched. */
export const tagText = (name: string, value: string): string => `${name}=${value}`;

/** The length of a tag column, which holds `name=value`. */
const tagOctets = 760;

/** @throws invalid_input naming the tag */
export function validateTags(tags: Readonly<Record<string, string>> = {}): void {
  for (const [tag, value] of Object.entries(tags)) {
    const problem = tagProblem(tag, value);
    if (problem !== null) throw invalidField(`tags.${tag.slice(0, 80)}`, problem);
  }
}

function tagProblem(tag: string, value: string): string | null {
  if (!/^[A-Za-z0-9_.-]{1,60}$/.test(tag))
    return 'must have a name of 1 to 60 letters, digits, dots, dashes and underscores';
  if (hasControls(value)) return 'must not contain line breaks or other control characters';
  const octets = Buffer.byteLength(tagText(tag, value));
  return octets > tagOctets ? `must have at most ${tagOctets} bytes including its name` : null;
}

const furthestDays = 30;

/**
 * When the message is due; null for immediately.
 * @throws invalid_input above 30 days, or for a time more than a minute in the past
 */
export function validateSendAfter(sendAfter: string | undefined, now: Date): Date | null {
  if (sendAfter === undefined) return null;
  const at = scheduledTime(sendAfter, 'sendAfter', now, 'leave it out to send immediately');
  if (at.getTime() > now.getTime() + furthestDays * dayMs)
    throw invalidField('sendAfter', `must be at most ${furthestDays} days ahead`);
  return at.getTime() <= now.getTime() ? null : at;
}
