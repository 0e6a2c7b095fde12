import { listAt, textAt } from '#core/runtime/json.js';
import type { TwilioAddress } from '../../../deployment/addresses.js';
import type { SubmissionTask, TaskOutcome } from '../../submission-tasks.js';
import type { ProviderRefs } from '../../provider.js';
import type { TwilioClient } from '../client.js';
import { notDone, nothingNew, type RegistrationCalls } from './calls.js';
import { brandFields } from './fields.js';
import { brandProblems } from './problems.js';

/** The brand, which costs money, and the registry's decision on it. */
export function brandTasks(
  client: TwilioClient,
  { save }: RegistrationCalls,
  { messaging }: TwilioAddress,
): SubmissionTask[] {
  const brands = `${messaging}/v1/a2p/BrandRegistrations`;
  return [
    {
      name: 'brand',
      stage: 'submitted',
      async run(submission) {
        const { refs } = submission;
        // A brand costs money: look for one that an earlier call created and whose answer was lost.
        const lost = refs['brand'] === undefined ? await findBrand(client, brands, refs) : null;
        if (lost?.kind === 'made' || lost?.kind === 'not_done') return lost;
        // A brand that is not refused stays unchanged.
        const known = refs['brand'] === undefined ? null : await client.call('GET', `${brands}/${refs['brand']}`);
        if (known && (!known.ok || known.status >= 300)) return notDone(known);
        if (known && textAt(known.json, 'status') !== 'FAILED') return nothingNew;
        const saved = await save('brand', brands, brandFields(submission), submission);
        return saved.kind === 'made' ? { ...saved, fee: 'brand' } : saved;
      },
    },
    {
      name: 'brand.status',
      stage: 'registering',
      async run({ refs }) {
        const answer = await client.call('GET', `${brands}/${refs['brand'] ?? ''}`);
        const status = answer.ok && answer.status < 300 ? textAt(answer.json, 'status') : null;
        if (!answer.ok || status === null) return notDone(answer);
        if (status === 'APPROVED') return nothingNew;
        if (status === 'FAILED')
          return { kind: 'refused', stage: 'action_needed', problems: brandProblems(answer.json) };
        if (status === 'SUSPENDED' || status === 'DELETED')
          return { kind: 'refused', stage: 'failed', problems: brandProblems(answer.json) };
        return { kind: 'waiting' };
      },
    },
  ];
}

async function findBrand(
  client: TwilioClient,
  brands: string,
  { profile = '' }: ProviderRefs,
): Promise<TaskOutcome | null> {
  const answer = await client.call('GET', brands, { PageSize: '1000' });
  if (!answer.ok || answer.status >= 300) return notDone(answer);
  const found = listAt(answer.json, 'data').find((each) => textAt(each, 'customer_profile_bundle_sid') === profile);
  const sid = textAt(found, 'sid');
  return sid === null ? null : { kind: 'made', refs: { brand: sid }, fee: 'brand' };
}
