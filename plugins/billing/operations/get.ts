import { liveEnvironments } from '#core/kernel/environment/environment.js';
import { isOperator } from '#core/kernel/runner/resolve.js';
import { defineOperation } from '#core/kernel/operation.js';
import { Money } from '#core/kernel/schema/money.js';
import { list, nullable, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { findBillingAccount, presentSaved } from '../accounts/account.js';
import { creditBalance, creditsOf, presentCredit } from '../credits/credits.js';
import { exampleCredit, exampleMoney, examplePaymentMethod, exampleSavedDetails } from '../examples.js';
import { periodOf } from '../periods/months.js';
import { readSpendingAhead } from '../cap/cap.js';
import { moneyOf } from '../money/micros.js';
import { Credit, PaymentMethod, period as periodField, SavedBillingDetails, standing } from '../resources.js';
import { tariffOf } from '../settings/tariff.js';

export default defineOperation({
  name: 'billing.get',
  summary:
    'Returns the account’s standing (good or past_due), this month’s amount so far, spending cap, credit balance, payment method and billing details.',
  description:
    'Amounts are for the current calendar month (UTC), before credits and tax. `reserved` is the part of the cap that broadcasts, including paused and held ones, reserve for messages that are not created yet. It reduces `capRemaining`; cancelling a broadcast releases it. The deployment’s operator can query any account.',
  keywords: 'balance spend budget status overview',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    accountId: optional(uuid('Another account, for the deployment’s operator; defaults to the caller’s own.')),
  }),
  output: object({
    standing,
    period: periodField,
    amountSoFar: Money,
    cap: nullable(Money),
    capRemaining: nullable(Money),
    reserved: Money,
    credit: object(
      { balance: Money, credits: list(Credit, 'The account’s credits, newest first; at most 100.') },
      { description: 'Credits that the operator granted, and how much of each is left.' },
    ),
    paymentMethod: nullable(PaymentMethod),
    details: nullable(SavedBillingDetails),
  }),
  errors: ['operator_only'],
  example: {
    input: {},
    output: {
      standing: 'good',
      period: '2026-11',
      amountSoFar: exampleMoney('12.50'),
      cap: exampleMoney('200.00'),
      capRemaining: exampleMoney('187.50'),
      reserved: exampleMoney('0.00'),
      credit: { balance: exampleCredit.remaining, credits: [exampleCredit] },
      paymentMethod: examplePaymentMethod,
      details: exampleSavedDetails,
    },
  },

  async handle({ accountId: given }, { db, caller, clock, deployment, fail }) {
    const accountId = given ?? caller.environment.accountId;
    if (accountId !== caller.environment.accountId) {
      if (!isOperator(caller))
        throw fail.operator_only({ operation: 'billing.get with the accountId of another account' });
      if ((await liveEnvironments(db, accountId)).length === 0)
        throw fail.not_found({ thing: 'account', lookup: 'account.get with a key of that account' });
    }
    const now = clock.now();
    const period = periodOf(now);
    const tariff = tariffOf(deployment);
    const { currency } = tariff;
    const account = await findBillingAccount(db, accountId);
    const { spending, ahead } = await readSpendingAhead(db, tariff, accountId, { period });
    const [spent, taken] = [spending(), spending(ahead)];
    const credits = await creditsOf(db, accountId);
    const balance = await creditBalance(db, accountId, now);
    const cap = account?.cap ?? null;
    const money = (micros: bigint): { currency: string; amount: string } => moneyOf(micros, currency);
    return {
      standing: account?.standing ?? 'good',
      period,
      amountSoFar: money(spent),
      cap: cap === null ? null : money(cap),
      capRemaining: cap === null ? null : money(taken < cap ? cap - taken : 0n),
      reserved: money(taken - spent),
      credit: { balance: money(balance), credits: credits.map((row) => presentCredit(row, currency)) },
      paymentMethod: account?.paymentMethod
        ? {
            brand: account.paymentMethod.brand,
            last4: account.paymentMethod.last4,
            expires: account.paymentMethod.expires,
          }
        : null,
      details: account && presentSaved(account),
    };
  },
});
