import { nextAllowed, type QuietHours } from './next-allowed.js';
import { zonesOfNumber } from './number-zones.js';

/** Whose clock decides. */
export interface QuietRecipient {
  /** The contact's own zone; null if it has none. */
  readonly timeZone: string | null;
  /** E.164. */
  readonly number: string;
  /** The zone of the project, for numbers whose prefix does not determine a zone. */
  readonly projectZone: string;
}

/**
 * When a text may be sent: by the contact's zone, else by the zones of the number's prefix, else by the project's zone.
 * A number of many zones, such as a toll-free one, waits until it is quiet in none of them; if they have no such hour
 * in common, the project's zone decides.
 * @returns `at` itself, or the end of the quiet hours
 */
export async function allowedFrom(recipient: QuietRecipient, hours: QuietHours, at: Date): Promise<Date> {
  const { timeZone, number, projectZone } = recipient;
  const own = timeZone === null ? await zonesOfNumber(number) : [timeZone];
  const zones = own.length === 0 ? [projectZone] : own;
  return nextAllowed(at, hours, zones) ?? nextAllowed(at, hours, [projectZone]) ?? at;
}
