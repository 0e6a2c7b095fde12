import type { Environment } from '#core/kernel/caller/caller.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { RecipientReport } from '#core/messaging/driver.js';
import type { Report } from '../tables/report.js';
import { settings } from '../deployment/settings.js';

/*
 * Addresses of test environments that play an outcome: `bounced@test.<SVC_MAIL_DOMAIN>`. Nothing is sent to them. An
 * address that bounced or complained is suppressed like any other; add a suffix (`bounced+1@…`) to get a new address
 * with the same outcome.
 */

const fixtureOutcomes = ['delivered', 'bounced', 'complained', 'deferred'] as const;
type FixtureOutcome = (typeof fixtureOutcomes)[number];

/** The domain of the addresses. */
const fixtureDomain = (deployment: Pick<Deployment, 'settingsOf'>): string =>
  `test.${deployment.settingsOf(settings).mailDomain}`;

/**
 * The outcome that an address plays; null for every address in a live environment, and for other addresses in a test
 * environment.
 */
export function fixtureOf(
  deployment: Pick<Deployment, 'settingsOf'>,
  { kind }: Pick<Environment, 'kind'>,
  address: string,
): FixtureOutcome | null {
  if (kind !== 'test') return null;
  const at = address.lastIndexOf('@');
  if (address.slice(at + 1).toLowerCase() !== fixtureDomain(deployment)) return null;
  const name = address.slice(0, at).toLowerCase().split('+')[0];
  return fixtureOutcomes.find((outcome) => outcome === name) ?? null;
}

/** How the attempt ends: `deferred` is refused temporarily at first, and accepted on the next attempt. */
export const playDelivery = (address: string, outcome: FixtureOutcome, attempt: number): RecipientReport =>
  outcome === 'deferred' && attempt === 1
    ? { address, outcome: 'temporary', code: 451, response: '451 4.7.1 A test address: retried in a minute.' }
    : { address, outcome: 'sent', code: 250, response: '250 2.0.0 A test address: nothing was sent.' };

/** The report after it was accepted. */
export function playReports(outcome: FixtureOutcome, at: Date): Report[] {
  const none = { kind: null, code: null };
  const delivered: Report = { type: 'delivered', ...none, detail: 'A test address.', at };
  if (outcome === 'bounced')
    return [{ type: 'bounced', kind: 'hard', code: '5.1.1', detail: '550 5.1.1 A test address that bounces.', at }];
  return outcome === 'complained'
    ? [delivered, { type: 'complained', ...none, detail: 'A test address that complains.', at }]
    : [delivered];
}
