import type { Environment } from '#core/kernel/caller/caller.js';
import type { TextAnswer } from '../providers/provider.js';
import type { ReportRow } from '../tables/report.js';

/*
 * Numbers of test environments that play an outcome: +1 500 555 0 and three digits. The last digit selects the outcome.
 * Nothing is sent to them. A number that answered STOP is suppressed like any other; change the digits before the last
 * one to get a new number with the same outcome.
 */

type FixtureOutcome = 'delivered' | 'refused' | 'undelivered' | 'stopped' | 'deferred';

/** The outcome that the last digit plays; for all others, the text is delivered. */
const byLastDigit: ReadonlyMap<string, FixtureOutcome> = new Map([
  ['1', 'refused'],
  ['2', 'undelivered'],
  ['4', 'stopped'],
  ['8', 'deferred'],
]);

/**
 * The outcome that a number plays; null for every number in a live environment, and for other numbers in a test
 * environment.
 */
export function fixtureOf({ kind }: Pick<Environment, 'kind'>, number: string): FixtureOutcome | null {
  if (kind !== 'test' || !/^\+15005550\d{3}$/.test(number)) return null;
  return byLastDigit.get(number.slice(-1)) ?? 'delivered';
}

/** In place of the provider's id. */
const providerId = 'test number';

/** How the attempt ends: `deferred` is refused temporarily at first, and accepted on the next attempt. */
export function playDelivery(outcome: FixtureOutcome, attempt: number): TextAnswer {
  const none = { providerId: null, code: null };
  if (outcome === 'refused')
    return { ...none, outcome: 'permanent', code: 21_211, response: 'A test number that is refused.' };
  return outcome === 'deferred' && attempt === 1
    ? { ...none, outcome: 'temporary', code: 20_429, response: 'A test number: retried in a few seconds.' }
    : { ...none, providerId, outcome: 'sent', response: 'A test number: nothing was sent.' };
}

/** What the carrier reports after it was accepted. */
export const playReport = (outcome: FixtureOutcome, messageId: string, at: Date): ReportRow =>
  outcome === 'undelivered'
    ? { messageId, providerId, at, status: 'failed', code: '30005', detail: 'A test number that cannot be reached.' }
    : { messageId, providerId, at, status: 'delivered', code: null, detail: null };
