import { listAt, textAt } from '#core/runtime/json.js';
import type { TwilioAddress } from '../../../deployment/addresses.js';
import type { SubmissionTask, TaskOutcome } from '../../submission-tasks.js';
import type { ProviderRefs } from '../../provider.js';
import { errorOf, type TwilioClient } from '../client.js';
import { notDone, nothingNew, type RegistrationCalls } from './calls.js';
import { campaignFields } from './fields.js';
import { campaignProblems } from './problems.js';

/**
 * The campaign with its messaging service, the carriers' decision on it, and the numbers that its texts are sent from.
 */
export function campaignTasks(
  client: TwilioClient,
  { save }: RegistrationCalls,
  address: TwilioAddress,
): SubmissionTask[] {
  const { messaging } = address;
  const campaigns = ({ service = '' }: ProviderRefs): string => `${messaging}/v1/Services/${service}/Compliance/Usa2p`;
  return [
    {
      name: 'service',
      stage: 'registering',
      async run(submission) {
        if (submission.refs['service'] !== undefined) return nothingNew;
        // Without this, nothing that people send to its numbers is received: the service has no address for it.
        const fields = { FriendlyName: `svc ${submission.registrationId}`, UseInboundWebhookOnNumber: 'true' };
        return save('service', `${messaging}/v1/Services`, fields, submission);
      },
    },
    {
      name: 'campaign',
      stage: 'registering',
      async run(submission) {
        const { refs } = submission;
        const known = await client.call('GET', campaigns(refs));
        if (!known.ok || known.status >= 300) return notDone(known);
        const [found] = listAt(known.json, 'compliance');
        const sid = textAt(found, 'sid');
        // A campaign of this submission, whose answer was lost; a refused one is replaced.
        if (sid !== null && textAt(found, 'campaign_status') !== 'FAILED')
          return { kind: 'made', refs: { campaign: sid }, fee: 'campaign' };
        if (sid !== null) {
          const removed = await client.call('DELETE', `${campaigns(refs)}/${sid}`);
          if (!removed.ok || (removed.status >= 300 && removed.status !== 404)) return notDone(removed);
        }
        const without = Object.fromEntries(Object.entries(refs).filter(([name]) => name !== 'campaign'));
        const made = await save('campaign', campaigns(refs), campaignFields(submission), {
          ...submission,
          refs: without,
        });
        return made.kind === 'made' ? { ...made, fee: 'campaign' } : made;
      },
    },
    {
      name: 'campaign.status',
      stage: 'registering',
      async run({ refs }) {
        const answer = await client.call('GET', `${campaigns(refs)}/${refs['campaign'] ?? ''}`);
        const status = answer.ok && answer.status < 300 ? textAt(answer.json, 'campaign_status') : null;
        if (!answer.ok || status === null) return notDone(answer);
        if (status === 'VERIFIED') return nothingNew;
        if (status === 'FAILED')
          return { kind: 'refused', stage: 'action_needed', problems: campaignProblems(answer.json) };
        if (status === 'SUSPENDED' || status === 'EXPIRED')
          return { kind: 'refused', stage: 'failed', problems: campaignProblems(answer.json) };
        return { kind: 'waiting' };
      },
    },
    {
      name: 'numbers',
      stage: 'registering',
      async run({ refs, numbers }) {
        for (const number of numbers) {
          const outcome = await joinService(client, address, refs, number);
          if (outcome.kind === 'not_done') return outcome;
        }
        return nothingNew;
      },
    },
  ];
}

/** 21710: the number is already in that service. */
const inServiceAlready = 21_710;

/**
 * Adds a number to the registration, so that its texts can be sent from the number. Without a messaging service, there
 * is nothing to do.
 */
export async function joinService(
  client: TwilioClient,
  { messaging }: TwilioAddress,
  { service }: ProviderRefs,
  number: string,
): Promise<TaskOutcome> {
  if (service === undefined) return nothingNew;
  const answer = await client.call('POST', `${messaging}/v1/Services/${service}/PhoneNumbers`, {
    PhoneNumberSid: number,
  });
  const isIn = answer.ok && (answer.status < 300 || errorOf(answer.status, answer.json).code === inServiceAlready);
  return isIn ? nothingNew : notDone(answer);
}
