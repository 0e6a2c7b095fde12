import { invalidField } from '../errors/invalid-field.js';
import { latestMs } from './filter-time.js';

/**
 * A time that a call sets as an end.
 * @param field the field's name in the request
 * @throws invalid_input for a time that is not in the future, or after the year 9999 (UTC), which the database cannot
 *   store
 */
export function futureDate(given: string, field: string, now: Date): Date {
  const at = new Date(given);
  if (at <= now) throw invalidField(field, 'must lie in the future');
  if (at.getTime() > latestMs) throw invalidField(field, 'must not lie after the year 9999 (UTC)');
  return at;
}
