import type { TwilioAddress } from '../../../deployment/addresses.js';
import type { SubmissionTask } from '../../submission-tasks.js';
import type { Submission, ProviderRefs } from '../../provider.js';
import type { RegistrationCalls } from './calls.js';
import { addressFields, businessAttributes, companyType, representativeAttributes } from './fields.js';

/** Twilio's policies: of business profiles below ours, and of profiles for A2P messaging in the US. */
const profilePolicy = 'RNdfbf3fae0e1107f8aded0e7cead80bf5';
const messagingPolicy = 'RNb0d4771c2c98518d916a3d4cd70a8f8b';

/** The business's profile at the trust hub, below the deployment's own, and its profile for messaging. */
export function profileTasks({ save, assign, submit }: RegistrationCalls, address: TwilioAddress): SubmissionTask[] {
  const { trustHub } = address;
  const account = `${address.api}/2010-04-01/Accounts/${address.accountSid}`;
  const profiles = `${trustHub}/v1/CustomerProfiles`;
  const trusts = `${trustHub}/v1/TrustProducts`;
  const profileOf = ({ profile = '' }: ProviderRefs): string => `${profiles}/${profile}`;
  const trustOf = ({ trust = '' }: ProviderRefs): string => `${trusts}/${trust}`;
  const endUser = (ref: string, type: string, attributesOf: (submission: Submission) => object): SubmissionTask => ({
    name: ref,
    stage: 'submitted',
    run: (submission) =>
      save(
        ref,
        `${trustHub}/v1/EndUsers`,
        { FriendlyName: submission.registrationId, Type: type, Attributes: JSON.stringify(attributesOf(submission)) },
        submission,
      ),
  });
  const assigned = (
    to: (refs: ProviderRefs) => string,
    name: string,
    ref: (refs: ProviderRefs) => string,
  ): SubmissionTask => ({
    name,
    stage: 'submitted',
    run: ({ refs }) => assign(to(refs), ref(refs)),
  });

  return [
    {
      name: 'profile',
      stage: 'submitted',
      async run(submission) {
        if (address.profile === null)
          return {
            kind: 'not_done',
            isTemporary: false,
            problem: 'SVC_SMS_URL does not contain a business profile (?profile=BU…)',
          };
        const { legalName: FriendlyName, contact } = submission.filed;
        const StatusCallback = submission.callbackUrl;
        return save(
          'profile',
          profiles,
          { FriendlyName, Email: contact.email, PolicySid: profilePolicy, StatusCallback },
          submission,
        );
      },
    },
    endUser('business', 'customer_profile_business_information', businessAttributes),
    endUser('representative', 'authorized_representative_1', representativeAttributes),
    {
      name: 'address',
      stage: 'submitted',
      run: (submission) => save('address', `${account}/Addresses.json`, addressFields(submission), submission),
    },
    {
      name: 'document',
      stage: 'submitted',
      run: (submission) =>
        save(
          'document',
          `${trustHub}/v1/SupportingDocuments`,
          {
            FriendlyName: submission.registrationId,
            Type: 'customer_profile_address',
            Attributes: JSON.stringify({ address_sids: submission.refs['address'] }),
          },
          submission,
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
      run: (submission) =>
        save(
          'trust',
          trusts,
          {
            FriendlyName: submission.filed.legalName,
            Email: submission.filed.contact.email,
            PolicySid: messagingPolicy,
            StatusCallback: submission.callbackUrl,
          },
          submission,
        ),
    },
    endUser('messaging', 'us_a2p_messaging_profile_information', companyType),
    assigned(trustOf, 'trust.messaging', ({ messaging: sid = '' }) => sid),
    assigned(trustOf, 'trust.profile', ({ profile = '' }) => profile),
    { name: 'trust.submit', stage: 'submitted', run: ({ refs }) => submit(trustOf(refs)) },
  ];
}
