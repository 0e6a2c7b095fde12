import type { PaymentMethod } from '../tables/account.js';
import type { FailureCode } from '../tables/failure-codes.js';

/** Why something failed: in the provider's words, and as a code if svc knows the reason. */
export interface Failure {
  readonly reason: string;
  readonly code: FailureCode | null;
}

/** What a provider knows about a payment method that is being added. */
export type SetupState =
  | { readonly status: 'pending' }
  | {
      readonly status: 'active';
      readonly customerRef: string;
      readonly methodRef: string;
      readonly method: PaymentMethod;
      /** When the owner entered it, by the provider's clock. */
      readonly enteredAt: Date;
    }
  | ({ readonly status: 'failed' } & Failure);

/** What a provider knows about a payment. */
export type PaymentState =
  /** Created, and nothing has been charged: `confirmPayment` charges. */
  | { readonly status: 'unconfirmed' }
  /** The bank decides within days. */
  | { readonly status: 'processing' }
  /** The owner must confirm it. `url`: where, if the owner is there already. */
  | { readonly status: 'requires_action'; readonly url: string | null }
  | { readonly status: 'succeeded' }
  | ({ readonly status: 'failed' } & Failure);

/** What happened to a payment after it had succeeded. */
export interface Aftermath {
  /** How much of it was refunded, in micro-units. */
  readonly refunded: bigint;
  /** When the bank took the money back: a dispute that is not won, or a returned debit. Null if it has not. */
  readonly takenBack: { readonly reason: string } | null;
}

export interface NewPayment {
  readonly attemptId: string;
  /** The provider creates one payment for it, no matter how often it is asked. It may store a failure under it. */
  readonly key: string;
  readonly customerRef: string;
  readonly methodRef: string;
  /** Micro-units. */
  readonly amount: bigint;
  /** ISO 4217 code. */
  readonly currency: string;
  /** What the payment is for, as shown on the provider's own pages. */
  readonly description: string;
}

export interface NewSetup {
  /** The provider starts one setup for it, no matter how often it is asked. */
  readonly setupId: string;
  readonly customerRef: string;
  readonly currency: string;
  readonly expiresAt: Date;
  /** Where the provider's page leads once the owner has finished or cancelled. */
  readonly returnUrl: string;
}

export interface Confirmation {
  readonly providerId: string;
  readonly methodRef: string;
  /** The owner is there and can confirm the payment at their bank. */
  readonly ownerIsThere: boolean;
  /** Where the bank's page leads afterwards. */
  readonly returnUrl: string;
}

/**
 * A service that collects money. Every function makes a network request to the provider.
 *
 * A payment is created first and charged by a second call. Its id is committed in between, so that only this payment is
 * ever charged or asked about.
 */
export interface PaymentProvider {
  /** The provider's name in rows and messages. */
  readonly name: string;
  /** The smallest amount that it collects, in micro-units. @param currency ISO 4217 code */
  smallestAmount(currency: string): bigint;
  /** Creates the provider's record of an account. @param key the same key creates only one record @returns its id */
  createCustomer(customer: { key: string; accountId: string; name: string; email: string | null }): Promise<string>;
  /** Starts adding a payment method. @returns the provider's id, and its page */
  startSetup(setup: NewSetup): Promise<{ providerId: string; url: string }>;
  /** The result of a setup. */
  readSetup(providerId: string): Promise<SetupState>;
  /** @returns the provider's id of the payment */
  createPayment(payment: NewPayment): Promise<string>;
  /** Charges a payment. No matter how often it is asked, the payment is charged once. */
  confirmPayment(confirmation: Confirmation): Promise<PaymentState>;
  readPayment(providerId: string): Promise<PaymentState>;
  /** Gives up a payment. @returns its state: `failed`, unless it had already been decided */
  cancelPayment(providerId: string): Promise<PaymentState>;
  /**
   * The payments that may have been refunded, disputed or returned since a time of the provider's clock, including
   * payments of other systems.
   * @param since null for everything that the provider still reports
   * @returns their ids, and the time of the last change; null if there was none
   */
  changedPayments(since: Date | null): Promise<{ providerIds: readonly string[]; newest: Date | null }>;
  /** What happened to a payment after it had succeeded. */
  readAftermath(providerId: string): Promise<Aftermath>;
}

/**
 * What a refusal is about:
 * - payer: the account's payment method, which its owner can replace.
 * - customer: the provider does not know the customer, because the deployment was connected to another of its accounts
 *   before.
 * - too_small: the amount is below what the provider collects.
 * - deployment: how the deployment is set up at the provider, or what svc asked for. The payer can do nothing about it.
 */
export type RefusalCause = 'payer' | 'customer' | 'too_small' | 'deployment';

/** The provider refused: asking again has the same result. `message` states why, for people. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
  constructor(
    message: string,
    readonly about: RefusalCause,
    /** The provider has stored this refusal under the request's key: only a request with another key can succeed. */
    readonly isStored = false,
  ) {
    super(message);
  }

  get unknownCustomer(): boolean {
    return this.about === 'customer';
  }
}

/**
 * The provider could not be reached, or did not answer. The result of the request is unknown, and it may be repeated.
 */
export class PaymentUnavailable extends Error {
  override readonly name = 'PaymentUnavailable';
  constructor(
    message: string,
    options: ErrorOptions,
    /** The provider has stored this failure under the request's key: only a request with another key can succeed. */
    readonly isStored: boolean,
    /** It answered, and refused because of how the deployment is set up, which only the operator can change. */
    readonly isSetup = false,
  ) {
    super(message, options);
  }
}
