import type { FailureTexts } from '../tables/failure-codes.js';

export const en: FailureTexts = {
  insufficient_funds: 'The account has insufficient funds.',
  limit_exceeded: 'The payment exceeds a limit of the card or the account.',
  method_expired: 'The card has expired.',
  method_invalid: 'The number, expiry date or security code of the payment method is incorrect.',
  method_not_supported: 'The bank doesn’t allow this kind of payment, or this currency, with this payment method.',
  account_closed: 'The bank account is closed or doesn’t exist.',
  mandate_missing: 'The account holder hasn’t authorized this debit, or has withdrawn the authorization.',
  authentication_failed: 'The payment wasn’t confirmed with the bank.',
  declined: 'The bank declined the payment without giving a reason. Contact your bank to find out more.',
  temporary: 'The bank couldn’t process the payment at that time.',
  confirmation_needed: 'The bank requires confirmation.',
  payment_cancelled: 'The payment was cancelled.',
  method_unusable: 'The payment method can no longer be used.',
  page_expired: 'The page expired before a payment method was added.',
  page_unopened: 'The page was never opened.',
  method_superseded: 'A payment method that was entered later has already been saved.',
  taken_back: 'The bank reversed the payment.',
  other: 'The payment provider says: “{reason}”.',
};
