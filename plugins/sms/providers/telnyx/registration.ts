import { listAt, textAt } from '#core/runtime/json.js';
import type { ApiAnswer } from '../api-call.js';
import { runNextTask, type SubmissionTask, type TaskOutcome } from '../submission-tasks.js';
import type { Submission, RegistrationStatus, ProviderResult } from '../provider.js';
import { hasLinks, industryOf, messageFlowOf, registryUseCases } from '../registry-words.js';
import type { RegistrationProblem } from '../../registration-data/stages.js';
import { errorOf, problemOf, type TelnyxClient } from './client.js';

/**
 * Runs the next task of Telnyx’s registration for 10DLC (https://developers.telnyx.com/docs/messaging/10dlc): the
 * brand, then the campaign, then the numbers.
 */
export const advanceRegistration = (
  client: TelnyxClient,
  submission: Submission,
): Promise<ProviderResult<RegistrationStatus>> => runNextTask(tasksOf(client), submission);

function tasksOf(client: TelnyxClient): SubmissionTask[] {
  return [
    {
      name: 'brand',
      stage: 'submitted',
      async run(submission) {
        const { refs, registrationId } = submission;
        const fields = brandFields(submission);
        const known = refs['brand'];
        if (known !== undefined)
          return refused(await client.call('PUT', `/10dlc/brand/${known}`, fields), { brand: known });
        // A brand costs money: look for one that an earlier call created and whose answer was lost.
        const query = new URLSearchParams({ displayName: registrationId });
        const lost = await client.call('GET', `/10dlc/brand?${query.toString()}`);
        if (!lost.ok || lost.status >= 300) return notDone(lost);
        const mine = listAt(lost.json, 'records').find((each) => textAt(each, 'displayName') === registrationId);
        const found = textAt(mine, 'brandId');
        if (found !== null) return { kind: 'made', refs: { brand: found }, fee: 'brand' };
        const answer = await client.call('POST', '/10dlc/brand', fields);
        const brand = answer.ok ? textAt(answer.json, 'brandId') : null;
        return refused(answer, brand === null ? null : { brand }, 'brand');
      },
    },
    {
      name: 'brand.status',
      stage: 'registering',
      async run({ refs }) {
        const answer = await client.call('GET', `/10dlc/brand/${refs['brand'] ?? ''}`);
        if (!answer.ok || answer.status >= 300) return notDone(answer);
        const status = textAt(answer.json, 'status');
        if (status === 'REGISTRATION_FAILED')
          return {
            kind: 'refused',
            stage: 'action_needed',
            problems: problemsOf(answer.json, 'The brand was refused.'),
          };
        return status === 'OK' ? nothingNew : { kind: 'waiting' };
      },
    },
    {
      name: 'campaign',
      stage: 'registering',
      async run({ refs, filed, callbackUrl }) {
        const query = new URLSearchParams({ brandId: refs['brand'] ?? '' });
        const known = await client.call('GET', `/10dlc/campaign?${query.toString()}`);
        if (!known.ok || known.status >= 300) return notDone(known);
        const mine = listAt(known.json, 'records').find((each) => !isRefused(textAt(each, 'campaignStatus')));
        const found = textAt(mine, 'campaignId');
        if (found !== null) return { kind: 'made', refs: { campaign: found }, fee: 'campaign' };
        const samples = Object.fromEntries(filed.sampleMessages.map((text, index) => [`sample${index + 1}`, text]));
        const answer = await client.call('POST', '/10dlc/campaignBuilder', {
          brandId: refs['brand'],
          usecase: registryUseCases[filed.useCase],
          description: filed.description,
          messageFlow: messageFlowOf(filed),
          ...(filed.optIn.keyword === undefined ? {} : { optinKeywords: filed.optIn.keyword }),
          ...samples,
          subscriberOptin: true,
          subscriberOptout: true,
          subscriberHelp: true,
          embeddedLink: hasLinks(filed),
          termsAndConditions: true,
          webhookURL: callbackUrl,
        });
        const campaign = answer.ok ? textAt(answer.json, 'campaignId') : null;
        return refused(answer, campaign === null ? null : { campaign }, 'campaign');
      },
    },
    {
      name: 'campaign.status',
      stage: 'registering',
      async run({ refs }) {
        const answer = await client.call('GET', `/10dlc/campaign/${refs['campaign'] ?? ''}`);
        if (!answer.ok || answer.status >= 300) return notDone(answer);
        const status = textAt(answer.json, 'campaignStatus');
        if (isRefused(status))
          return {
            kind: 'refused',
            stage: 'action_needed',
            problems: problemsOf(answer.json, 'The campaign was refused.'),
          };
        if (status === 'TCR_SUSPENDED' || status === 'TCR_EXPIRED')
          return {
            kind: 'refused',
            stage: 'failed',
            problems: problemsOf(answer.json, 'The campaign was terminated.'),
          };
        return status === 'MNO_PROVISIONED' ? nothingNew : { kind: 'waiting' };
      },
    },
    {
      name: 'numbers',
      stage: 'registering',
      async run({ refs, numbers }) {
        for (const id of numbers) {
          const outcome = await joinCampaign(client, refs, id);
          if (outcome.kind === 'not_done') return outcome;
        }
        return nothingNew;
      },
    },
  ];
}

/**
 * Adds a number to the registration, so that its texts can be sent from the number.
 * @param id the provider's id of the number
 */
export async function joinCampaign(
  client: TelnyxClient,
  { campaign }: Submission['refs'],
  id: string,
): Promise<TaskOutcome> {
  if (campaign === undefined) return nothingNew;
  const found = await client.call('GET', `/phone_numbers/${encodeURIComponent(id)}`);
  const phoneNumber = found.ok ? textAt(found.json, 'data', 'phone_number') : null;
  if (phoneNumber === null) return notDone(found);
  const answer = await client.call('POST', '/10dlc/phone_number_campaigns', { phoneNumber, campaignId: campaign });
  // 409: it is already assigned.
  return answer.ok && (answer.status < 300 || answer.status === 409) ? nothingNew : notDone(answer);
}

const isRefused = (status: string | null): boolean =>
  /^(?:TCR|TELNYX|MNO)_(?:FAILED|REJECTED|PROVISIONING_FAILED)$/.test(status ?? '');

const nothingNew: TaskOutcome = { kind: 'made', refs: {} };

const notDone = (answer: ApiAnswer): Extract<TaskOutcome, { kind: 'not_done' }> => {
  const { problem, isTemporary } = problemOf(answer);
  return { kind: 'not_done', problem, isTemporary };
};

/** What was created; or what Telnyx refuses because of its form, which the caller can correct. */
function refused(answer: ApiAnswer, refs: Submission['refs'] | null, fee?: 'brand' | 'campaign'): TaskOutcome {
  if (answer.ok && answer.status < 300 && refs !== null)
    return { kind: 'made', refs, ...(fee === undefined ? {} : { fee }) };
  if (answer.ok && (answer.status === 400 || answer.status === 422)) {
    const { code, message } = errorOf(answer.status, answer.json);
    return { kind: 'refused', stage: 'action_needed', problems: [problem(code ?? String(answer.status), message)] };
  }
  return notDone(answer);
}

const problem = (code: string, message: string): RegistrationProblem => ({
  code,
  message,
  fix: 'Correct what the message describes, then call sms.registration.submit again.',
});

function problemsOf(json: unknown, otherwise: string): RegistrationProblem[] {
  const reasons = textAt(json, 'failureReasons');
  const listed = listAt(json, 'failureReasons').map((each) =>
    problem(textAt(each, 'code') ?? 'refused', textAt(each, 'description') ?? otherwise),
  );
  return listed.length > 0 ? listed : [problem('refused', reasons ?? otherwise)];
}

const entityTypes = {
  sole_proprietor: 'SOLE_PROPRIETOR',
  private: 'PRIVATE_PROFIT',
  public: 'PUBLIC_PROFIT',
  non_profit: 'NON_PROFIT',
  government: 'GOVERNMENT',
} as const;

const industries = {
  education: 'EDUCATION',
  government: 'GOVERNMENT',
  non_profit: 'NGO',
  other: 'TECHNOLOGY',
} as const;

const brandFields = ({ filed, taxId, registrationId, callbackUrl }: Submission): object => ({
  entityType: entityTypes[filed.entityType],
  // A brand whose answer was lost is found by this name.
  displayName: registrationId,
  companyName: filed.legalName,
  ...(taxId === null ? {} : { ein: taxId }),
  phone: filed.contact.phone,
  email: filed.contact.email,
  street: [filed.address.line1, filed.address.line2].filter((line) => line !== undefined).join(', '),
  city: filed.address.city,
  ...(filed.address.region === undefined ? {} : { state: filed.address.region }),
  postalCode: filed.address.postalCode,
  country: filed.country,
  website: filed.website,
  vertical: industries[industryOf(filed)],
  webhookURL: callbackUrl,
});
