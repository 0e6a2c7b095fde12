import { notBlank, text } from '#core/kernel/schema/schema.js';
import { SegmentDefinition } from '../resources.js';

export const segmentName = text('Its name; no other segment of the environment has it.', {
  minLength: 1,
  maxLength: 120,
  pattern: notBlank,
});

export const definition = SegmentDefinition;

/** What stands in the description of the operations that take a definition. */
export const definitionWords =
  'A definition is {all: […]}, {any: […]}, {not: …} or {field, op, value}, at most 8 deep and with at most 100 conditions. ' +
  'Fields: email, phone, locale, createdAt, properties.<key>, consent.<channel>.<topic> (granted or revoked; without the channel, by email), ' +
  'event.<name>.count, event.<name>.lastAt, message.email.lastSentAt. ' +
  'Operators: eq, neq, gt, gte, lt, lte, contains, starts_with, exists, not_exists, in (at most 100 values), within_days (from so many days ago until now). ' +
  'Only values of one kind compare: texts (exactly; addresses in any case), numbers, true and false, dates and times. ' +
  'neq is the contrary of eq, so it matches who has no value; an event that never happened has the count 0; ' +
  'on a consent, exists means that it is granted. Membership is live: it is asked anew whenever the segment is used.';
