import { deploymentSettings } from '../deployment-settings.js';
import { readProviderUrl } from './addresses.js';
import { logProvider } from './log/provider.js';
import type { ProviderServices, SmsProvider } from './provider.js';
import { telnyxProvider } from './telnyx/provider.js';
import { twilioProvider } from './twilio/provider.js';

/** The provider of SVC_SMS_URL, else the log driver. It holds no connections of its own, so that it can be made wherever it is needed. */
export function chooseProvider(services: ProviderServices): SmsProvider {
  const { smsUrl } = services.deployment.settingsOf(deploymentSettings);
  if (smsUrl === undefined) return logProvider(services);
  const address = readProviderUrl(smsUrl);
  return address.name === 'twilio' ? twilioProvider(services, address) : telnyxProvider(services, address);
}
