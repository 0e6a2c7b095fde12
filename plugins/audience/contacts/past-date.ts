import { refusalOf } from '#core/kernel/errors/common.js';

/** Clocks differ, and what happens at this very moment must not be refused for it. */
const toleranceMs = 5 * 60_000;
/** What lies before is a mistake of whoever made the call, and the earliest of it more than the database can write down. */
const earliest = Date.UTC(1900);

/**
 * When something happened that a call tells of: now, where nothing is said.
 * @param field where the moment stands in the request
 * @throws invalid_input for a moment that is yet to come (an opt-out of tomorrow would lose to such a grant), or that lies before 1900
 */
export function pastMoment(given: string | undefined, field: string, now: Date): Date {
  if (given === undefined) return now;
  const at = new Date(given);
  const refused = (problem: string): Error => refusalOf.invalid_input({ field, problem, details: { field } });
  if (at.getTime() > now.getTime() + toleranceMs) throw refused('must not lie in the future');
  if (at.getTime() < earliest) throw refused('must not lie before 1900');
  return at > now ? now : at;
}
