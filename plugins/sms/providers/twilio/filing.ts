import { listAt, textAt } from '#core/surfaces/json.js';
import type { TwilioAddress } from '../addresses.js';
import { isTemporaryStatus } from '../api-call.js';
import { takeStep, type FilingStep, type StepOutcome } from '../filing-steps.js';
import type { Filing, FilingRefs, FilingStatus, ProviderResult } from '../provider.js';
import {
  addressFields,
  brandFields,
  businessAttributes,
  campaignFields,
  representativeAttributes,
  companyType,
} from './filing-fields.js';
import { brandProblems, campaignProblems, profileProblem } from './filing-problems.js';
import { errorOf, problemOf, type Fields, type TwilioClient } from './client.js';

/** Twilio's policies: of business profiles below ours, and of profiles for A2P messaging in the US. */
const profilePolicy = 'RNdfbf3fae0e1107f8aded0e7cead80bf5';
const messagingPolicy = 'RNb0d4771c2c98518d916a3d4cd70a8f8b';

/**
 * Takes the next step of Twilio's registration for A2P 10DLC
 * (https://www.twilio.com/docs/messaging/compliance/a2p-10dlc/onboarding-isv-api): the business's profile and its messaging profile at the
 * trust hub, then the brand, then the campaign with its messaging service, then the numbers.
 */
export const advanceFiling = (
  client: TwilioClient,
  address: TwilioAddress,
  filing: Filing,
): Promise<ProviderResult<FilingStatus>> => takeStep(stepsOf(client, address), filing);

/** Makes something, or changes what an earlier filing made. @param ref the name under which its id is kept */
type Save = (ref: string, url: string, fields: Fields, filing: Filing) => Promise<StepOutcome>;

function stepsOf(client: TwilioClient, address: TwilioAddress): FilingStep[] {
  const { trustHub, messaging } = address;
  const account = `${address.api}/2010-04-01/Accounts/${address.accountSid}`;
  const brands = `${messaging}/v1/a2p/BrandRegistrations`;
  const campaigns = ({ service = '' }: FilingRefs): string => `${messaging}/v1/Services/${service}/Compliance/Usa2p`;

  const save: Save = async (ref, url, fields, { refs }) => {
    const known = refs[ref];
    const answer = await client.call('POST', known === undefined ? url : changeUrl(url, known), fields);
    const sid = answer.ok && answer.status < 300 ? textAt(answer.json, 'sid') : null;
    if (sid !== null) return { kind: 'made', refs: { [ref]: sid } };
    // What Twilio refuses by its form is for the caller to mend.
    if (answer.ok && answer.status === 400)
      return { kind: 'refused', stage: 'action_needed', problems: [profileProblem(errorOf(400, answer.json))] };
    return notDone(answer);
  };
  const assign = async (profile: string, object: string): Promise<StepOutcome> => {
    const url = `${profile}/EntityAssignments`;
    const known = await client.call('GET', url, { ObjectSid: object });
    if (!known.ok || known.status >= 300) return notDone(known);
    if (listAt(known.json, 'results').length > 0) return nothingNew;
    const answer = await client.call('POST', url, { ObjectSid: object });
    return answer.ok && answer.status < 300 ? nothingNew : notDone(answer);
  };
  const submit = async (profile: string): Promise<StepOutcome> => {
    const answer = await client.call('POST', profile, { Status: 'pending-review' });
    if (answer.ok && answer.status < 300) return nothingNew;
    if (answer.ok && !isTemporaryStatus(answer.status))
      return {
        kind: 'refused',
        stage: 'action_needed',
        problems: [profileProblem(errorOf(answer.status, answer.json))],
      };
    return notDone(answer);
  };

  const profiles = `${trustHub}/v1/CustomerProfiles`;
  const trusts = `${trustHub}/v1/TrustProducts`;
  const profileOf = ({ profile = '' }: FilingRefs): string => `${profiles}/${profile}`;
  const trustOf = ({ trust = '' }: FilingRefs): string => `${trusts}/${trust}`;
  const endUser = (ref: string, type: string, attributesOf: (filing: Filing) => object): FilingStep => ({
    name: ref,
    stage: 'submitted',
    run: (filing) =>
      save(
        ref,
        `${trustHub}/v1/EndUsers`,
        { FriendlyName: filing.registrationId, Type: type, Attributes: JSON.stringify(attributesOf(filing)) },
        filing,
      ),
  });
  const assigned = (to: (refs: FilingRefs) => string, name: string, ref: (refs: FilingRefs) => string): FilingStep => ({
    name,
    stage: 'submitted',
    run: ({ refs }) => assign(to(refs), ref(refs)),
  });

  return [
    {
      name: 'profile',
      stage: 'submitted',
      async run(filing) {
        if (address.profile === null)
          return {
            kind: 'not_done',
            isTemporary: false,
            problem: 'SVC_SMS_URL names no business profile (?profile=BU…)',
          };
        const { legalName: FriendlyName, contact } = filing.filed;
        const StatusCallback = filing.callbackUrl;
        return save(
          'profile',
          profiles,
          { FriendlyName, Email: contact.email, PolicySid: profilePolicy, StatusCallback },
          filing,
        );
      },
    },
    endUser('business', 'customer_profile_business_information', businessAttributes),
    endUser('representative', 'authorized_representative_1', representativeAttributes),
    {
      name: 'address',
      stage: 'submitted',
      run: (filing) => save('address', `${account}/Addresses.json`, addressFields(filing), filing),
    },
    {
      name: 'document',
      stage: 'submitted',
      run: (filing) =>
        save(
          'document',
          `${trustHub}/v1/SupportingDocuments`,
          {
            FriendlyName: filing.registrationId,
            Type: 'customer_profile_address',
            Attributes: JSON.stringify({ address_sids: filing.refs['address'] }),
          },
          filing,
        ),
    },
    assigned(profileOf, 'profile.business', ({ business = '' }) => business),
    assigned(profileOf, 'profile.representative', ({ representative = '' }) => representative),
    assigned(profileOf, 'profile.document', ({ document = '' }) => document),
    assigned(profileOf, 'profile.parent', () => address.profile ?? ''),
    { name: 'profile.submit', stage: 'submitted', run: ({ refs }) => submit(profileOf(refs)) },
    {
      name: 'trust',
      stage: 'submitted',
      run: (filing) =>
        save(
          'trust',
          trusts,
          {
            FriendlyName: filing.filed.legalName,
            Email: filing.filed.contact.email,
            PolicySid: messagingPolicy,
            StatusCallback: filing.callbackUrl,
          },
          filing,
        ),
    },
    endUser('messaging', 'us_a2p_messaging_profile_information', companyType),
    assigned(trustOf, 'trust.messaging', ({ messaging: sid = '' }) => sid),
    assigned(trustOf, 'trust.profile', ({ profile = '' }) => profile),
    { name: 'trust.submit', stage: 'submitted', run: ({ refs }) => submit(trustOf(refs)) },
    {
      name: 'brand',
      stage: 'submitted',
      async run(filing) {
        const { refs } = filing;
        // A brand costs money: look for one that an earlier call made and whose answer was lost.
        const lost = refs['brand'] === undefined ? await findBrand(client, brands, refs) : null;
        if (lost?.kind === 'made' || lost?.kind === 'not_done') return lost;
        // One that is not refused stays as it is.
        const known = refs['brand'] === undefined ? null : await client.call('GET', `${brands}/${refs['brand']}`);
        if (known && (!known.ok || known.status >= 300)) return notDone(known);
        if (known && textAt(known.json, 'status') !== 'FAILED') return nothingNew;
        const saved = await save('brand', brands, brandFields(filing), filing);
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
    {
      name: 'service',
      stage: 'registering',
      async run(filing) {
        if (filing.refs['service'] !== undefined) return nothingNew;
        return save('service', `${messaging}/v1/Services`, { FriendlyName: `svc ${filing.registrationId}` }, filing);
      },
    },
    {
      name: 'campaign',
      stage: 'registering',
      async run(filing) {
        const { refs } = filing;
        const known = await client.call('GET', campaigns(refs));
        if (!known.ok || known.status >= 300) return notDone(known);
        const [found] = listAt(known.json, 'compliance');
        const sid = textAt(found, 'sid');
        // One of this filing, whose answer was lost; one that was refused is replaced.
        if (sid !== null && textAt(found, 'campaign_status') !== 'FAILED')
          return { kind: 'made', refs: { campaign: sid }, fee: 'campaign' };
        if (sid !== null) {
          const removed = await client.call('DELETE', `${campaigns(refs)}/${sid}`);
          if (!removed.ok || (removed.status >= 300 && removed.status !== 404)) return notDone(removed);
        }
        const without = Object.fromEntries(Object.entries(refs).filter(([name]) => name !== 'campaign'));
        const made = await save('campaign', campaigns(refs), campaignFields(filing), { ...filing, refs: without });
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

/** 21710: the number is in that service already. */
const inServiceAlready = 21_710;

/** Lets texts of the registration leave from a number. Without a messaging service, there is nothing to do. */
export async function joinService(
  client: TwilioClient,
  { messaging }: TwilioAddress,
  { service }: FilingRefs,
  number: string,
): Promise<StepOutcome> {
  if (service === undefined) return nothingNew;
  const answer = await client.call('POST', `${messaging}/v1/Services/${service}/PhoneNumbers`, {
    PhoneNumberSid: number,
  });
  const isIn = answer.ok && (answer.status < 300 || errorOf(answer.status, answer.json).code === inServiceAlready);
  return isIn ? nothingNew : notDone(answer);
}

async function findBrand(
  client: TwilioClient,
  brands: string,
  { profile = '' }: FilingRefs,
): Promise<StepOutcome | null> {
  const answer = await client.call('GET', brands, { PageSize: '1000' });
  if (!answer.ok || answer.status >= 300) return notDone(answer);
  const found = listAt(answer.json, 'data').find((each) => textAt(each, 'customer_profile_bundle_sid') === profile);
  const sid = textAt(found, 'sid');
  return sid === null ? null : { kind: 'made', refs: { brand: sid }, fee: 'brand' };
}

const nothingNew: StepOutcome = { kind: 'made', refs: {} };

const notDone = (answer: Parameters<typeof problemOf>[0]): Extract<StepOutcome, { kind: 'not_done' }> => {
  const { problem, isTemporary } = problemOf(answer);
  return { kind: 'not_done', problem, isTemporary };
};

/** The address of one thing among those at `url`. */
const changeUrl = (url: string, sid: string): string =>
  url.endsWith('.json') ? `${url.slice(0, -'.json'.length)}/${sid}.json` : `${url}/${sid}`;
