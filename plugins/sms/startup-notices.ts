import type { StartFacts } from '#core/kernel/plugin.js';
import type { Services } from '#core/kernel/services.js';
import { deploymentSettings } from './deployment/settings.js';
import { chooseProvider } from './providers/choose.js';

/** A provider that reaches phones needs the countries that it may send to. */
export function startProblems({ settingsOf }: StartFacts): string[] {
  const { smsUrl, smsAllowedCountries } = settingsOf(deploymentSettings);
  return smsUrl !== undefined && smsAllowedCountries.length === 0
    ? [
        'SVC_SMS_URL is set, but SVC_SMS_ALLOWED_COUNTRIES is not. Set it to the countries that messages can be sent to, such as US,DE, to prevent toll fraud elsewhere.',
      ]
    : [];
}

/** Where texts are sent, and what is missing for them to arrive. */
export function startupNotices(services: Services): string[] {
  const { deployment } = services;
  const { smsFrom, smsAllowedCountries } = deployment.settingsOf(deploymentSettings);
  const provider = chooseProvider(services);
  if (!provider.isReal) {
    const where = deployment.production ? 'in the state folder' : `at ${deployment.baseUrl}/dev/phone`;
    return [`texts      not sent, but kept ${where}. Set SVC_SMS_URL to send them; see docs/texts.md.`];
  }
  const from = smsFrom === undefined ? 'numbers of the environments' : `${smsFrom} and numbers of the environments`;
  const optOuts = deployment.products.includes('audience')
    ? []
    : [
        'warning    STOP is neither stored nor confirmed without the product audience. Add audience to SVC_PRODUCTS, or let the provider handle STOP and block messages to these numbers.',
      ];
  return [
    `texts      through ${provider.label}, from ${from}, to ${smsAllowedCountries.join(', ')}`,
    ...(deployment.production
      ? []
      : [
          `warning    ${provider.label} cannot reach ${deployment.baseUrl}, so delivery reports and received messages do not arrive. Set SVC_BASE_URL to a public address.`,
        ]),
    ...optOuts,
  ];
}
