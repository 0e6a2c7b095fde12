import type { FiledValue } from '../registrations/resources.js';

/** Use cases as The Campaign Registry names them, which every provider in the US passes campaigns on to. */
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
