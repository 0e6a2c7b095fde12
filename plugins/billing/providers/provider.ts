import type { PaymentMethod } from '../tables/account.js';
import type { FailureCode } from '../tables/failure-codes.js';

/** Why something failed: in the provider's words, and what that means where svc knows it. */
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
    }
  | ({ readonly status: 'failed' } & Failure);

/** What a provider knows about a payment. */
export type PaymentState =
  /** Created, and nothing was charged: `confirmPayment` charges. */
  | { readonly status: 'unconfirmed' }
  /** The bank decides within days. */
  | { readonly status: 'processing' }
  /** The owner must confirm it. `url`: where, if the owner is there already. */
  | { readonly status: 'requires_action'; readonly url: string | null }
  | { readonly status: 'succeeded' }
  | ({ readonly status: 'failed' } & Failure);

/** What became of a payment after it had succeeded. */
export interface Aftermath {
  /** What was refunded of it, in micro-units. */
  readonly refunded: bigint;
  /** The bank has taken the money back: a dispute that is not won, or a returned debit. Null where it has not. */
  readonly takenBack: { readonly reason: string } | null;
}

export interface NewPayment {
  readonly attemptId: string;
  /** The provider creates one payment for it, however often it is asked. */
  readonly key: string;
  readonly customerRef: string;
  readonly methodRef: string;
  /** Micro-units. */
  readonly amount: bigint;
  /** ISO 4217 code. */
  readonly currency: string;
  /** What the payment is for, as the provider's own pages show it. */
  readonly description: string;
}

export interface NewSetup {
  /** The provider starts one setup for it, however often it is asked. */
  readonly setupId: string;
  readonly customerRef: string;
  readonly currency: string;
  readonly expiresAt: Date;
  /** Where the provider's page leads once the owner is done, or turned back. */
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
 * Who collects money. Every function asks the provider over the network.
 *
 * A payment is created first and charged by a second call: its id is committed in between, so that whatever happens it is the one payment
 * that is charged, or asked about.
 */
export interface PaymentProvider {
  /** As rows and messages name it. */
  readonly name: string;
  /** The smallest amount that it collects, in micro-units. @param currency ISO 4217 code */
  smallestAmount(currency: string): bigint;
  /** Creates the provider's record of an account. @param key the same key creates one @returns its id */
  createCustomer(customer: { key: string; accountId: string; name: string; email: string | null }): Promise<string>;
  /** Starts adding a payment method. @returns the provider's id, and its page */
  startSetup(setup: NewSetup): Promise<{ providerId: string; url: string }>;
  /** How a setup ended. */
  readSetup(providerId: string): Promise<SetupState>;
  /** @returns the provider's id of the payment */
  createPayment(payment: NewPayment): Promise<string>;
  /** Charges a payment. However often it is asked, the payment is charged once. */
  confirmPayment(confirmation: Confirmation): Promise<PaymentState>;
  readPayment(providerId: string): Promise<PaymentState>;
  /** Gives up a payment. @returns its state: `failed`, unless it was decided already */
  cancelPayment(providerId: string): Promise<PaymentState>;
  /**
   * The payments that may have been refunded, disputed or returned since a time of the provider's clock, those of others among them.
   * @param since null for all that the provider still tells
   * @returns their ids, and when the last change was; null where there was none
   */
  changedPayments(since: Date | null): Promise<{ providerIds: readonly string[]; newest: Date | null }>;
  /** What became of a payment that had succeeded. */
  readAftermath(providerId: string): Promise<Aftermath>;
}

/** The provider refused: asking again yields the same. `message` says why, for people. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
  constructor(
    message: string,
    /** It does not know the customer: the deployment was connected to another of its accounts before. */
    readonly unknownCustomer: boolean,
  ) {
    super(message);
  }
}

/** The provider could not be asked, or did not answer: what became of the request is unknown, and it may be repeated. */
export class PaymentUnavailable extends Error {
  override readonly name = 'PaymentUnavailable';
}
