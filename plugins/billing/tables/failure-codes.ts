/** Why a payment or a setup failed, as mails and pages explain it in the reader's language. */
export const failureCodes = [
  'insufficient_funds',
  'limit_exceeded',
  'method_expired',
  'method_invalid',
  'method_not_supported',
  'account_closed',
  'mandate_missing',
  'authentication_failed',
  'declined',
  'temporary',
  'confirmation_needed',
  'payment_cancelled',
  'method_unusable',
  'page_expired',
  'page_unopened',
  'method_superseded',
  'taken_back',
] as const;

export type FailureCode = (typeof failureCodes)[number];
export type FailureTexts = Readonly<Record<FailureCode, string>> & {
  /** For a reason that svc does not know: {reason} is the provider's own text. */
  readonly other: string;
};
