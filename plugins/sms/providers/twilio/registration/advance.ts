import type { TwilioAddress } from '../../../deployment/addresses.js';
import { runNextTask } from '../../submission-tasks.js';
import type { Submission, RegistrationStatus, ProviderResult } from '../../provider.js';
import type { TwilioClient } from '../client.js';
import { brandTasks } from './brand.js';
import { registrationCalls } from './calls.js';
import { campaignTasks } from './campaign.js';
import { profileTasks } from './profile.js';

/**
 * Runs the next task of Twilio's registration for A2P 10DLC
 * (https://www.twilio.com/docs/messaging/compliance/a2p-10dlc/onboarding-isv-api): the business's profile and its
 * messaging profile at the trust hub, then the brand, then the campaign with its messaging service, then the numbers.
 */
export function advanceRegistration(
  client: TwilioClient,
  address: TwilioAddress,
  submission: Submission,
): Promise<ProviderResult<RegistrationStatus>> {
  const calls = registrationCalls(client);
  const tasks = [
    ...profileTasks(calls, address),
    ...brandTasks(client, calls, address),
    ...campaignTasks(client, calls, address),
  ];
  return runNextTask(tasks, submission);
}
