import { filledText } from '#core/kernel/schema/schema.js';
import { SegmentDefinition } from '../resources.js';
import { fieldHelp } from './field-kinds.js';

export const segmentName = filledText('The name, unique in the environment.', 120);

export const definition = SegmentDefinition;

/** The description of definitions, for the operations that take one. */
export const definitionHelp =
  'A definition is {all: […]}, {any: […]}, {not: …} or {field, op, value}, at most 8 deep and with at most 100 conditions. ' +
  `Fields: ${fieldHelp}. ` +
  'Operators: eq, neq, gt, gte, lt, lte, contains, starts_with, exists, not_exists, in (at most 100 values), within_days (in the last N days). ' +
  'Only values of the same type are compared: strings (exactly; addresses in any case), numbers, booleans, date-times. ' +
  'neq is the negation of eq, so it also matches contacts without a value; an event that never happened has a count of 0; ' +
  'for a consent, exists means granted. Membership is live: it is evaluated whenever the segment is used.';
