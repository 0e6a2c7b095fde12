import { minuteMs } from '#core/runtime/clock.js';
import { invalidField, invalidFields } from '../errors/invalid-field.js';
import type { SvcError } from '../errors/errors.js';
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

/** Clocks differ and calls take time to arrive: a time that was “now” for the caller is not refused. */
const pastToleranceMs = minuteMs;

/** Whether a time for which something was scheduled has passed: what is sent now would be sent at another time. */
export const isMissed = (at: Date, now: Date): boolean => at.getTime() < now.getTime() - pastToleranceMs;

/**
 * The time for which a call schedules something. A time that has passed is a mistake, such as the wrong year or zone,
 * and sending at once instead cannot be undone (docs/interface.md, Errors).
 * @param field the field's name in the request
 * @param forNow the imperative for a caller that means now: “leave it out”
 * @throws invalid_input for a time more than a minute in the past, or after the year 9999 (UTC)
 */
export function scheduledTime(given: string, field: string, now: Date, forNow: string): Date {
  const at = new Date(given);
  if (at.getTime() > latestMs) throw invalidField(field, 'must not lie after the year 9999 (UTC)');
  if (isMissed(at, now)) throw missedTime(field, at, now, `Give “${field}” a time in the future, or ${forNow}.`);
  return at;
}

/** The refusal of a time that has passed. @param nextStep a sentence */
const missedTime = (field: string, at: Date, now: Date, nextStep: string): SvcError =>
  invalidFields([
    { field, problem: `must not lie in the past: ${shown(at)} has passed, it is ${shown(now)} now`, nextStep },
  ]);

/** A time to the second, in UTC. */
const shown = (at: Date): string => `${at.toISOString().slice(0, -5)}Z`;
