import { owned } from '#core/kernel/environment/owned.js';
import {
  bodyTextColumn,
  choiceColumn,
  exactColumn,
  idColumn,
  int64Column,
  intColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import { failureCodes } from './failure-codes.js';

export const setupStatuses = ['pending', 'active', 'failed'] as const;

/** Payment methods that are being added at the payment provider. */
export const paymentSetups = owned(
  defineTable('billing_payment_setup', {
    id: idColumn(),
    accountId: uuidColumn(),
    environmentId: uuidColumn(),
    provider: exactColumn(20),
    /** The provider's id of the setup; null until the provider has answered. */
    providerId: nullable(exactColumn(255)),
    returnUrl: nullable(bodyTextColumn()),
    status: choiceColumn(setupStatuses, 10),
    reason: nullable(textColumn(500)),
    /** The code of the reason; null if svc does not know it. */
    failureCode: nullable(choiceColumn(failureCodes, 40)),
    activityId: nullable(uuidColumn()),
    createdAt: timeColumn(),
    expiresAt: timeColumn(),
    endedAt: nullable(timeColumn()),
  }),
  { thing: 'payment setup', lookup: 'billing.payment.setup' },
);

export type PaymentSetupRow = RowOf<typeof paymentSetups>;

/**
 * started: the provider may not know it yet; processing and requires_action: the provider has not decided; given_up:
 * nobody confirmed it, and it was cancelled; taken_back: it had succeeded, and the bank took the money back.
 */
export const attemptStatuses = [
  'started',
  'processing',
  'requires_action',
  'succeeded',
  'failed',
  'given_up',
  'taken_back',
] as const;

/** Attempts to collect an invoice, each written before the provider is asked, so that a repeat can check the result. */
export const paymentAttempts = defineTable('billing_payment_attempt', {
  id: idColumn(),
  accountId: uuidColumn(),
  invoiceId: uuidColumn(),
  /** Numbers the attempts of an invoice from 1. */
  attempt: intColumn(),
  provider: exactColumn(20),
  /** The provider's id of the payment; null until the provider has answered. */
  providerId: nullable(exactColumn(255)),
  /** Micro-units. */
  amount: int64Column(),
  status: choiceColumn(attemptStatuses, 16),
  /** How much of it was refunded, in micro-units. */
  refunded: int64Column(),
  /** Why it failed; of an open one, why the provider cannot be asked about it. */
  reason: nullable(textColumn(500)),
  activityId: nullable(uuidColumn()),
  createdAt: timeColumn(),
  endedAt: nullable(timeColumn()),
});

/** Up to when a provider's events about payments that had succeeded were read, by the provider's clock. */
export const paymentFeeds = defineTable('billing_payment_feed', {
  provider: primary(exactColumn(20)),
  readUntil: timeColumn(),
});

export type PaymentAttemptRow = RowOf<typeof paymentAttempts>;
