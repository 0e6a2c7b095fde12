import type { Submission } from '../../provider.js';
import { hasLinks, industryOf, messageFlowOf, registryUseCases } from '../../registry-words.js';
import type { Fields } from '../client.js';

/** The business in the form that Twilio's trust hub requires. */
export function businessAttributes({ filed, taxId }: Submission): object {
  return {
    business_name: filed.legalName,
    business_type: businessTypes[filed.entityType],
    business_registration_identifier: registrationKind(filed.country),
    ...(taxId === null ? {} : { business_registration_number: taxId }),
    business_identity: 'direct_customer',
    business_industry: industries[industryOf(filed)],
    business_regions_of_operation: 'USA_AND_CANADA',
    website_url: filed.website,
  };
}

const industries = {
  education: 'EDUCATION',
  government: 'GOVERNMENT',
  non_profit: 'NOT_FOR_PROFIT',
  other: 'TECHNOLOGY',
} as const;

const businessTypes = {
  sole_proprietor: 'Sole Proprietorship',
  private: 'Corporation',
  public: 'Corporation',
  non_profit: 'Non-profit Corporation',
  government: 'Government',
} as const;

/** The kind of a tax number, by country. */
const registrationKind = (country: string): string =>
  ({ US: 'EIN', CA: 'CBN', GB: 'CN', AU: 'ACN', IN: 'CIN' })[country] ?? 'Other';

export function representativeAttributes({ filed: { contact } }: Submission): object {
  const [first = '', ...rest] = contact.name.trim().split(/\s+/);
  return {
    first_name: first,
    last_name: rest.join(' ') || first,
    email: contact.email,
    phone_number: contact.phone,
    business_title: 'Representative',
    job_position: 'Other',
  };
}

const companyTypes = {
  sole_proprietor: 'private',
  private: 'private',
  public: 'public',
  non_profit: 'non-profit',
  government: 'government',
} as const;

export const companyType = ({ filed: { entityType } }: Submission): object => ({
  company_type: companyTypes[entityType],
});

export const addressFields = ({ filed: { legalName, address, country } }: Submission): Fields => ({
  CustomerName: legalName,
  Street: address.line1,
  ...(address.line2 === undefined ? {} : { StreetSecondary: address.line2 }),
  City: address.city,
  Region: address.region ?? address.city,
  PostalCode: address.postalCode,
  IsoCountry: country,
});

export const brandFields = ({ refs, filed: { entityType, monthlyVolume } }: Submission): Fields => ({
  CustomerProfileBundleSid: refs['profile'] ?? '',
  A2PProfileBundleSid: refs['trust'] ?? '',
  BrandType: entityType === 'sole_proprietor' ? 'SOLE_PROPRIETOR' : 'STANDARD',
  // Low volumes do not need the vetting that costs extra.
  SkipAutomaticSecVet: String(monthlyVolume === 'under_1000' || monthlyVolume === 'under_10000'),
});

export function campaignFields({ refs, filed }: Submission): Fields {
  const { description, sampleMessages, optIn, useCase } = filed;
  return {
    BrandRegistrationSid: refs['brand'] ?? '',
    Description: description,
    MessageFlow: messageFlowOf(filed),
    MessageSamples: sampleMessages,
    UsAppToPersonUsecase: registryUseCases[useCase],
    HasEmbeddedLinks: String(hasLinks(filed)),
    HasEmbeddedPhone: String(sampleMessages.some((text) => /\+?\d[\d\s().-]{6,}\d/.test(text))),
    ...(optIn.keyword === undefined ? {} : { OptInKeywords: optIn.keyword }),
  };
}
