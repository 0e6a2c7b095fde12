import { lockOne } from '#core/runtime/database/lock-one.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { Money } from '#core/kernel/schema/money.js';
import { filledText, object, uuid } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { actInAccount } from '../../accounts/account.js';
import { creditBalance, presentCredit } from '../../credits/credits.js';
import { deploymentSettings } from '../../settings/deployment-settings.js';
import { exampleCredit, exampleMoney } from '../../examples.js';
import { moneyOf } from '../../money/micros.js';
import { Credit } from '../../resources.js';
import { credits } from '../../tables/credit.js';

export default defineOperation({
  name: 'billing.credit.reverse',
  summary: 'Reverses the unused part of a credit. The part that invoices have used is unaffected.',
  description:
    'Only the deployment’s operator may call this operation. The audit record and the event are written in the account that had the credit.',
  keywords: 'revoke cancel undo voucher',
  access: 'operator',
  impact: { destructive: true },
  accountWide: true,
  input: object({
    creditId: uuid('The credit to reverse.'),
    reason: filledText('Why, for the audit record.', 500, 3),
  }),
  output: object({ credit: Credit, balance: Money }),
  errors: ['operator_only', 'credit_reversed'],
  events: ['billing.credit.reversed'],
  example: {
    input: { creditId: exampleCredit.id, reason: 'Granted twice by mistake' },
    output: {
      credit: { ...exampleCredit, remaining: exampleMoney('0.00'), reversedAt: '2026-11-21T08:00:00.000Z' },
      balance: exampleMoney('0.00'),
    },
  },

  async handle({ creditId, reason }, context) {
    const { db, clock, deployment, fail, emit, audit } = context;
    const { currency } = deployment.settingsOf(deploymentSettings);
    const before = await lockOne(db, credits, { id: creditId });
    if (!before) throw fail.not_found({ ...credits.notFound });
    const environments = await actInAccount(context, before.accountId);
    if (before.reversedAt !== null) throw fail.credit_reversed();
    const now = clock.now();
    const after = { ...before, remaining: 0n, reversedAt: now, reversalReason: reason };
    await db.run('UPDATE billing_credit SET remaining = 0, reversed_at = ?, reversal_reason = ? WHERE id = ?', [
      now,
      reason,
      idBytes(creditId),
    ]);
    const credit = presentCredit(after, currency);
    const balance = moneyOf(await creditBalance(db, before.accountId, now), currency);
    const { remaining } = presentCredit(before, currency);
    audit({
      subject: { type: 'credit', id: creditId },
      summary: `Reversed ${remaining.amount} ${currency} of a credit of ${credit.amount.amount} ${currency}: ${reason}`,
      changes: changesBetween(presentCredit(before, currency), credit, ['remaining', 'reversedAt']),
    });
    for (const environment of environments)
      emit('billing.credit.reversed', { subjectId: creditId, data: { credit, balance } }, environment);
    return { credit, balance };
  },
});
