import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { defineOperation } from '#core/kernel/operation.js';
import { Money } from '#core/kernel/schema/money.js';
import { pricePattern } from '#core/kernel/schema/patterns.js';
import { nullable, object, text } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { lockBillingAccount } from '../../accounts/account.js';
import { lockMonth } from '../../periods/lock-month.js';
import { storeAmounts } from '../../cap/reprice-months.js';
import { dropReservations, noteReached, reservedUsage } from '../../cap/cap.js';
import { readSpending } from '../../metering/spending.js';
import { periodOf } from '../../periods/months.js';
import { exampleMoney } from '../../examples.js';
import { currencyToStore } from '../../settings/currency.js';
import { decimalsOf, formatAmount, moneyOf, parseAmount } from '../../money/micros.js';
import { tariffOf } from '../../settings/tariff.js';

export default defineOperation({
  name: 'billing.cap.set',
  summary:
    'Sets or removes the monthly spending cap. A send that would exceed it is refused before anything is queued.',
  description:
    'The cap applies to messages sent by calls, broadcasts and automations and to renting numbers. It takes effect as soon as the call returns and counts calendar months (UTC), before credits and tax. System messages, number rent, contacts and active users count towards it but are never refused. Owners are notified by email at 50 % and 80 %. Test environments do not count. Only an owner can set the cap.',
  keywords: 'budget limit maximum spend stop',
  access: 'secret',
  liveOnly: true,
  impact: { retrySafe: true },
  accountWide: true,
  ownerOnly: true,
  input: object({
    amount: nullable(
      text(
        'The cap in the deployment’s currency: a decimal number with at most six decimal places. Null removes the cap.',
        {
          pattern: pricePattern,
        },
      ),
    ),
  }),
  output: object({ cap: nullable(Money), amountSoFar: Money }),
  errors: ['cap_below_usage'],
  events: ['billing.cap.changed', 'billing.cap.reached'],
  example: {
    input: { amount: '200' },
    output: { cap: exampleMoney('200.00'), amountSoFar: exampleMoney('12.50') },
  },

  async handle({ amount }, context) {
    const { db, caller, clock, deployment, fail, emit, audit } = context;
    const { accountId } = caller.environment;
    const cap = amount === null ? null : parseAmount(amount);
    if (cap === undefined) throw invalidField('amount', 'must be a decimal number such as 200 or 99.50');
    const now = clock.now();
    const period = periodOf(now);
    const tariff = tariffOf(deployment);
    const currency = await currencyToStore(context);
    // Waits for the calls that were accepted under the previous cap; later calls wait for this one.
    const { cap: before } = await lockBillingAccount(db, accountId, now);
    const month = await lockMonth(db, accountId, period);
    const spending = await readSpending(db, tariff, accountId, period);
    const spent = spending();
    const show = (micros: bigint): string => formatAmount(micros, decimalsOf(currency));
    if (cap !== null && cap < spent && cap !== before)
      throw fail.cap_below_usage({ amountSoFar: show(spent), cap: show(cap), currency });
    const shown = cap === null ? null : moneyOf(cap, currency);
    const reply = { cap: shown, amountSoFar: moneyOf(spent, currency) };
    audit({
      subject: { type: 'account', id: accountId },
      summary: cap === null ? 'Removed the spending cap.' : `Set the spending cap to ${show(cap)} ${currency}.`,
      changes:
        cap === before ? [] : [{ field: 'cap', from: before === null ? null : moneyOf(before, currency), to: shown }],
      unchanged: 'the account already had this cap.',
    });
    if (cap === before) return reply;

    // Reservations that no longer fit are dropped. Each broadcast reserves again before its next batch, and is held if
    // it cannot. A higher cap resumes nothing: a held broadcast continues when somebody resumes it.
    if (cap !== null && spending(await reservedUsage(db, accountId, period)) > cap)
      await dropReservations(db, accountId, period);
    await db.run('UPDATE billing_account SET cap = ?, updated_at = ? WHERE account_id = ?', [
      cap,
      now,
      idBytes(accountId),
    ]);
    await db.run(
      'UPDATE billing_month SET half_notified_at = NULL, most_notified_at = NULL, reached_at = NULL WHERE account_id = ? AND period = ?',
      [idBytes(accountId), Buffer.from(period)],
    );
    await storeAmounts(db, tariff, accountId, period);
    emit('billing.cap.changed', { subjectId: accountId, data: { ...reply, period } });
    if (cap !== null && spent >= cap)
      await noteReached(
        context,
        caller.environment,
        { ...month, reachedAt: null },
        { cap, amountSoFar: spent, currency },
      );
    return reply;
  },
});
