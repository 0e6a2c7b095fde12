import { invalidField } from '../errors/invalid-field.js';

/** Callers' clocks differ: a time slightly ahead of ours is taken as now. */
const toleranceMs = 5 * 60_000;
/** Earlier times are mistakes, and the database cannot store all of them. */
export const earliestMs = Date.UTC(1900);

/**
 * The time of something that a call reports; now if the call does not state it. A time in the future is refused,
 * because a grant dated tomorrow would outweigh an opt-out of today.
 * @param field the field's name in the request
 * @throws invalid_input for a time in the future or before 1900
 */
export function pastDate(given: string | undefined, field: string, now: Date): Date {
  if (given === undefined) return now;
  const at = new Date(given);
  if (at.getTime() > now.getTime() + toleranceMs) throw invalidField(field, 'must not lie in the future');
  if (at.getTime() < earliestMs) throw invalidField(field, 'must not lie before 1900');
  return at > now ? now : at;
}
