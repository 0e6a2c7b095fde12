import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { callingCodeOf, countryOf } from '#core/kernel/schema/phone.js';
import { fixtureOf } from './fixtures.js';
import { deploymentSettings } from '../deployment/settings.js';

type Asking = { readonly deployment: Pick<Deployment, 'settingsOf'> };

/** Whether texts may be sent to the country of a number. Test numbers are always allowed: nothing is sent to them. */
export function isAllowed({ deployment }: Asking, environment: Environment, number: string): boolean {
  const { smsAllowedCountries } = deployment.settingsOf(deploymentSettings);
  if (smsAllowedCountries.length === 0 || fixtureOf(environment, number) !== null) return true;
  const country = countryOf(number);
  return country !== null && smsAllowedCountries.includes(country);
}

/**
 * Refuses numbers of countries that the operator does not allow.
 * @throws destination_not_allowed
 */
export function requireAllowed(
  { deployment, fail }: Asking & { readonly fail: Context<never, 'destination_not_allowed'>['fail'] },
  environment: Environment,
  number: string,
): void {
  if (!isAllowed({ deployment }, environment, number))
    throw fail.destination_not_allowed({ country: countryOf(number) ?? `+${callingCodeOf(number)}` });
}
