import { deploymentSettings } from '../deployment/settings.js';
import { addressReaders, schemeOf, type ProviderScheme } from '../deployment/addresses.js';
import { logProvider } from './log/provider.js';
import type { ProviderServices, SmsProvider } from './provider.js';
import { telnyxProvider } from './telnyx/provider.js';
import { twilioProvider } from './twilio/provider.js';

const chosen = new WeakMap<ProviderServices['deployment'], SmsProvider>();

/**
 * The provider of SVC_SMS_URL, else the log driver. One per process: reading the address takes longer than checking a
 * callback's signature.
 */
export function chooseProvider(services: ProviderServices): SmsProvider {
  const known = chosen.get(services.deployment);
  if (known) return known;
  const made = makeProvider(services);
  chosen.set(services.deployment, made);
  return made;
}

/** The providers by the scheme of SVC_SMS_URL. */
const connect: Readonly<Record<ProviderScheme, (services: ProviderServices, url: URL) => SmsProvider>> = {
  twilio: (services, url) => twilioProvider(services, addressReaders.twilio(url)),
  telnyx: (services, url) => telnyxProvider(services, addressReaders.telnyx(url)),
};

function makeProvider(services: ProviderServices): SmsProvider {
  const { smsUrl } = services.deployment.settingsOf(deploymentSettings);
  if (smsUrl === undefined) return logProvider(services);
  const url = new URL(smsUrl);
  return connect[schemeOf(url)](services, url);
}
