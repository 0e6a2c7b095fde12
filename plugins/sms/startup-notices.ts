import type { StartFacts } from '#core/kernel/plugin.js';
import type { Services } from '#core/kernel/services.js';
import { deploymentSettings } from './deployment/settings.js';
import { chooseProvider } from './providers/choose.js';

/** A provider that reaches phones needs the countries that it may send to. */
export function startProblems({ settingsOf }: StartFacts): string[] {
  const { smsUrl, smsAllowedCountries } = settingsOf(deploymentSettings);
  return smsUrl !== undefined && smsAllowedCountries.length === 0
    ? [
        'SVC_SMS_ALLOWED_COUNTRIES is not set, although SVC_SMS_URL is: set it to the countries that texts may go to, such as US,DE, so that nobody runs up costs elsewhere.',
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
    return [`texts      nothing is sent: texts are kept ${where}. Set SVC_SMS_URL to send them, see docs/texts.md.`];
  }
  const from = smsFrom === undefined ? 'numbers of the environments' : `${smsFrom} and numbers of the environments`;
  const optOuts = deployment.products.includes('audience')
    ? []
    : [
        'warning    STOP is neither stored nor confirmed without the product audience: add audience to SVC_PRODUCTS, or let the provider answer STOP and refuse texts to these numbers.',
      ];
  return [
    `texts      through ${provider.label}, from ${from}, to ${smsAllowedCountries.join(', ')}`,
    ...(deployment.production
      ? []
      : [
          `warning    ${provider.label} cannot call ${deployment.baseUrl}: delivery reports and received texts do not arrive. Set SVC_BASE_URL to a public address.`,
        ]),
    ...optOuts,
  ];
}
