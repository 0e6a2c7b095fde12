import { listAt, textAt } from '#core/runtime/json.js';
import type { RegistrationProblem } from '../../../registration-data/stages.js';
import type { TwilioError } from '../client.js';

/** The fields of sms.registration.submit that correspond to the fields that Twilio names. */
const ourFields: Readonly<Record<string, string>> = {
  business_name: 'legalName',
  business_type: 'entityType',
  company_type: 'entityType',
  business_registration_number: 'taxId',
  business_registration_identifier: 'taxId',
  website_url: 'website',
  address_sids: 'address',
  first_name: 'contact.name',
  last_name: 'contact.name',
  email: 'contact.email',
  phone_number: 'contact.phone',
  CAMPAIGN_DESCRIPTION: 'description',
  DESCRIPTION: 'description',
  MESSAGE_FLOW: 'optIn',
  MESSAGE_SAMPLES: 'sampleMessages',
  SAMPLE_MESSAGES: 'sampleMessages',
  USE_CASE: 'useCase',
  OPT_IN_KEYWORDS: 'optIn.keyword',
};

const again = 'then call sms.registration.submit again.';

/** The next step after a problem with one of these Twilio fields. */
function fixOf(fields: readonly string[]): string {
  const named = fields.flatMap((field) => (Object.hasOwn(ourFields, field) ? [`\`${ourFields[field]}\``] : []));
  const ours = [...new Set(named)];
  return ours.length === 0 ? `Correct what the message describes, ${again}` : `Correct ${ours.join(' and ')}, ${again}`;
}

const problem = (code: string, message: string, fields: readonly string[]): RegistrationProblem => ({
  code,
  message,
  fix: fixOf(fields),
});

export const profileProblem = ({ code, message }: TwilioError): RegistrationProblem =>
  problem(
    String(code ?? 400),
    message,
    Object.keys(ourFields).filter((field) => message.includes(field)),
  );

const fieldsOf = (json: unknown): string[] => listAt(json, 'fields').filter((each) => typeof each === 'string');

/** Twilio's messages about a brand that was not approved. */
export function brandProblems(json: unknown): RegistrationProblem[] {
  const found = listAt(json, 'errors').map((each) =>
    problem(
      textAt(each, 'code') ?? 'brand_failed',
      textAt(each, 'description') ?? 'The brand was refused.',
      fieldsOf(each),
    ),
  );
  if (found.length > 0) return found;
  return [problem('brand_failed', textAt(json, 'failure_reason') ?? 'The brand was refused.', [])];
}

/** Twilio's messages about a campaign that was not approved. */
export function campaignProblems(json: unknown): RegistrationProblem[] {
  const found = listAt(json, 'errors').map((each) =>
    problem(
      textAt(each, 'error_code') ?? 'campaign_failed',
      textAt(each, 'description') ?? 'The campaign was refused.',
      fieldsOf(each),
    ),
  );
  return found.length > 0 ? found : [problem('campaign_failed', 'The campaign was refused.', [])];
}
