import { failureCodes, type FailureCode } from '../../tables/failure-codes.js';

/**
 * What Stripe's codes mean: those of declined cards (docs.stripe.com/declines/codes), of bank debits, and of requests
 * (docs.stripe.com/error-codes). A card that is lost, stolen or suspected of fraud is shown as declined, as Stripe
 * requires: the person paying with it must not learn that this is known.
 */
const codesBy: Readonly<Record<FailureCode, readonly string[]>> = {
  insufficient_funds: ['insufficient_funds'],
  limit_exceeded: [
    ...['card_velocity_exceeded', 'withdrawal_count_limit_exceeded', 'amount_too_large'],
    ...['charge_exceeds_source_limit', 'charge_exceeds_weekly_limit', 'charge_exceeds_transaction_limit'],
  ],
  method_expired: ['expired_card'],
  method_invalid: [
    ...['incorrect_number', 'invalid_number', 'incorrect_cvc', 'invalid_cvc', 'incorrect_pin', 'invalid_pin'],
    ...['incorrect_zip', 'incorrect_address', 'invalid_expiry_month', 'invalid_expiry_year', 'invalid_account'],
    ...['invalid_account_number_or_iban', 'incorrect_account_holder_name', 'bank_account_unusable'],
  ],
  method_not_supported: [
    ...['card_not_supported', 'currency_not_supported', 'transaction_not_allowed', 'service_not_allowed'],
    ...['not_permitted', 'invalid_amount', 'bank_account_restricted', 'bank_ownership_changed'],
  ],
  account_closed: ['account_closed', 'bank_account_closed', 'no_account', 'bank_account_does_not_exist'],
  mandate_missing: [
    ...['debit_not_authorized', 'charge_not_authorized', 'payment_method_not_authorized', 'recipient_deceased'],
    ...['revocation_of_all_authorizations', 'revocation_of_authorization', 'stop_payment_order'],
    ...['invalid_mandate', 'mandate_invalid', 'payment_intent_mandate_invalid', 'debit_disputed'],
  ],
  authentication_failed: [
    ...['payment_intent_authentication_failure', 'setup_intent_authentication_failure', 'authentication_not_handled'],
    ...['pin_try_exceeded', 'mobile_device_authentication_required'],
  ],
  declined: [
    ...['generic_decline', 'do_not_honor', 'do_not_try_again', 'call_issuer', 'no_action_taken', 'security_violation'],
    ...['fraudulent', 'lost_card', 'stolen_card', 'pickup_card', 'restricted_card', 'merchant_blacklist'],
    ...['new_account_information_available', 'duplicate_transaction', 'refer_to_customer', 'card_declined'],
    ...[
      'payment_method_provider_decline',
      'payment_method_customer_decline',
      'testmode_decline',
      'offline_pin_required',
    ],
  ],
  temporary: [
    ...['try_again_later', 'issuer_not_available', 'processing_error', 'reenter_transaction', 'approve_with_id'],
    ...[
      'payment_method_provider_timeout',
      'could_not_process',
      'generic_could_not_process',
      'card_decline_rate_limit_exceeded',
    ],
  ],
  confirmation_needed: ['authentication_required', 'online_or_offline_pin_required'],
  payment_cancelled: [],
  method_unusable: [
    'payment_method_unactivated',
    'payment_method_invalid_parameter',
    'payment_method_unexpected_state',
  ],
  page_expired: [],
  page_unopened: [],
  method_superseded: [],
  taken_back: [],
};

const known = new Map<string, FailureCode>(
  failureCodes.flatMap((code) => codesBy[code].map((each) => [each, code] as const)),
);

/** The meaning of Stripe's error. @returns null for an unknown code */
export const failureCodeOf = (
  error: { readonly code?: string | null; readonly decline_code?: string | null } | null | undefined,
): FailureCode | null =>
  // The decline's own code is more exact than card_declined.
  known.get(error?.decline_code ?? '') ?? known.get(error?.code ?? '') ?? null;
