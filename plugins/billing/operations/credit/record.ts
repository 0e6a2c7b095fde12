import { newFields } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { futureDate } from '#core/kernel/schema/future-date.js';
import { Money } from '#core/kernel/schema/money.js';
import { dateTime, filledText, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { newId } from '#core/runtime/id.js';
import { actInAccount } from '../../accounts/account.js';
import { creditBalance, presentCredit } from '../../credits/credits.js';
import { exampleAccountId, exampleCredit } from '../../examples.js';
import { amountInput, positiveAmount } from '../../money/input.js';
import { currencyToStore } from '../../settings/currency.js';
import { moneyOf } from '../../money/micros.js';
import { Credit } from '../../resources.js';
import { credits } from '../../tables/credit.js';

export default defineOperation({
  name: 'billing.credit.record',
  summary: 'Grants an account a credit. Only the deployment’s operator may call this operation.',
  description:
    'Invoices use credits before anything is collected: those that expire first, then the oldest. A credit pays for a month if it is valid on the month’s last day (UTC). The unused part is lost when the credit expires. The audit record and the event are written in the account that gets the credit.',
  keywords: 'voucher discount grant refund goodwill prepaid balance',
  access: 'operator',
  accountWide: true,
  input: object({
    accountId: uuid('The account that gets the credit.'),
    amount: amountInput('How much.'),
    reason: filledText('Why it is granted, shown to the account and in the audit record.', 500, 3),
    expiresAt: optional(dateTime('When the credit expires; if omitted, never.')),
  }),
  output: object({ credit: Credit, balance: Money }),
  errors: ['operator_only'],
  events: ['billing.credit.recorded'],
  example: {
    input: { accountId: exampleAccountId, amount: '50.00', reason: 'Welcome credit' },
    output: { credit: exampleCredit, balance: exampleCredit.remaining },
  },

  async handle({ accountId, amount: given, reason, expiresAt }, context) {
    const { db, clock, emit, audit } = context;
    const currency = await currencyToStore(context);
    const environments = await actInAccount(context, accountId);
    const amount = positiveAmount('amount', given);
    const createdAt = clock.now();
    const expires = expiresAt === undefined ? null : futureDate(expiresAt, 'expiresAt', createdAt);
    const row = {
      id: newId(),
      accountId,
      amount,
      remaining: amount,
      reason,
      expiresAt: expires,
      createdAt,
      reversedAt: null,
      reversalReason: null,
    };
    await db.run(credits.insertRows([row]));
    const credit = presentCredit(row, currency);
    const balance = moneyOf(await creditBalance(db, accountId, createdAt), currency);
    audit({
      subject: { type: 'credit', id: row.id },
      summary: `Granted a credit of ${credit.amount.amount} ${currency}: ${reason}`,
      changes: newFields(credit, ['amount', 'reason', 'expiresAt']),
    });
    for (const environment of environments)
      emit('billing.credit.recorded', { subjectId: row.id, data: { credit, balance } }, environment);
    return { credit, balance };
  },
});
