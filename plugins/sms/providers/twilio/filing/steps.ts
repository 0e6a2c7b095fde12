import type { TwilioAddress } from '../../../deployment/addresses.js';
import { takeStep } from '../../filing-steps.js';
import type { Filing, FilingStatus, ProviderResult } from '../../provider.js';
import type { TwilioClient } from '../client.js';
import { brandSteps } from './brand.js';
import { filingCalls } from './calls.js';
import { campaignSteps } from './campaign.js';
import { profileSteps } from './profile.js';

/**
 * Takes the next step of Twilio's registration for A2P 10DLC
 * (https://www.twilio.com/docs/messaging/compliance/a2p-10dlc/onboarding-isv-api): the business's profile and its
 * messaging profile at the trust hub, then the brand, then the campaign with its messaging service, then the numbers.
 */
export function advanceFiling(
  client: TwilioClient,
  address: TwilioAddress,
  filing: Filing,
): Promise<ProviderResult<FilingStatus>> {
  const calls = filingCalls(client);
  const steps = [
    ...profileSteps(calls, address),
    ...brandSteps(client, calls, address),
    ...campaignSteps(client, calls, address),
  ];
  return takeStep(steps, filing);
}
