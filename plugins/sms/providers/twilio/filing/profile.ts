import type { TwilioAddress } from '../../../deployment/addresses.js';
import type { FilingStep } from '../../filing-steps.js';
import type { Filing, FilingRefs } from '../../provider.js';
import type { FilingCalls } from './calls.js';
import { addressFields, businessAttributes, companyType, representativeAttributes } from './fields.js';

/** Twilio's policies: of business profiles below ours, and of profiles for A2P messaging in the US. */
const profilePolicy = 'RNdfbf3fae0e1107f8aded0e7cead80bf5';
const messagingPolicy = 'RNb0d4771c2c98518d916a3d4cd70a8f8b';

/** The business's profile at the trust hub, below the deployment's own, and its profile for messaging. */
export function profileSteps({ save, assign, submit }: FilingCalls, address: TwilioAddress): FilingStep[] {
  const { trustHub } = address;
  const account = `${address.api}/2010-04-01/Accounts/${address.accountSid}`;
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
            problem: 'SVC_SMS_URL does not contain a business profile (?profile=BU…)',
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
  ];
}
