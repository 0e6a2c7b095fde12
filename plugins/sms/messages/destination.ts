import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { callingCodeOf, countryOf } from '#core/kernel/schema/phone.js';
import { fixtureOf } from '../delivery/fixtures.js';
import { deploymentSettings } from '../deployment-settings.js';

/**
 * Refuses numbers of countries that the operator does not allow. Test numbers are always allowed: nothing is sent to them.
 * @throws destination_not_allowed
 */
export function requireAllowed(
  { deployment, fail }: { readonly deployment: Pick<Deployment, 'settingsOf'>; readonly fail: Context['fail'] },
  environment: Environment,
  number: string,
): void {
  const { smsAllowedCountries } = deployment.settingsOf(deploymentSettings);
  if (smsAllowedCountries.length === 0 || fixtureOf(environment, number) !== null) return;
  const country = countryOf(number);
  if (country === null || !smsAllowedCountries.includes(country))
    throw fail.destination_not_allowed({ country: country ?? `+${callingCodeOf(number)}` });
}
