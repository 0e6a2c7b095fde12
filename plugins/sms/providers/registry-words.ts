import type { FiledValue } from '../registration-data/resources.js';

/** Use cases as The Campaign Registry names them. Every provider in the US submits campaigns to it. */
export const registryUseCases = {
  account_notification: 'ACCOUNT_NOTIFICATION',
  customer_care: 'CUSTOMER_CARE',
  delivery_notification: 'DELIVERY_NOTIFICATION',
  fraud_alert: 'FRAUD_ALERT',
  marketing: 'MARKETING',
  polling: 'POLLING_VOTING',
  security_alert: 'SECURITY_ALERT',
  two_factor: '2FA',
  mixed: 'MIXED',
  higher_education: 'HIGHER_EDUCATION',
  charity: 'CHARITY',
} as const;

/** How people agree, in one text. */
export const messageFlowOf = ({ optIn: { how, url } }: FiledValue): string =>
  url === undefined ? how : `${how} ${url}`;

export const hasLinks = ({ sampleMessages }: FiledValue): boolean =>
  sampleMessages.some((text) => /https?:\/\//i.test(text));

/**
 * The industry of a business, which registries require and sms.registration.submit does not. It follows from the kind
 * of the business and its use case; if these do not indicate it, svc submits technology (docs/texts.md).
 */
export function industryOf({ entityType, useCase }: FiledValue): 'education' | 'government' | 'non_profit' | 'other' {
  if (entityType === 'government') return 'government';
  if (useCase === 'higher_education') return 'education';
  return entityType === 'non_profit' || useCase === 'charity' ? 'non_profit' : 'other';
}
