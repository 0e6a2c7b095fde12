import type { TwilioAddress } from '../../../deployment/addresses.js';
import { runNextStage } from '../../submission-stages.js';
import type { Submission, RegistrationStatus, ProviderResult } from '../../provider.js';
import type { TwilioClient } from '../client.js';
import { brandSteps } from './brand.js';
import { registrationCalls } from './calls.js';
import { campaignSteps } from './campaign.js';
import { profileSteps } from './profile.js';

/**
 * Takes the next step of Twilio's registration for A2P 10DLC
 * (https://www.twilio.com/docs/messaging/compliance/a2p-10dlc/onboarding-isv-api): the business's profile and its
 * messaging profile at the trust hub, then the brand, then the campaign with its messaging service, then the numbers.
 */
export function advanceRegistration(
  client: TwilioClient,
  address: TwilioAddress,
  submission: Submission,
): Promise<ProviderResult<RegistrationStatus>> {
  const calls = registrationCalls(client);
  const steps = [
    ...profileSteps(calls, address),
    ...brandSteps(client, calls, address),
    ...campaignSteps(client, calls, address),
  ];
  return runNextStage(steps, submission);
}
