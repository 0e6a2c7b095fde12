import { lockOwned } from '#core/kernel/environment/owned.js';
import { notFoundOr } from '#core/kernel/environment/retention.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nullable, object, oneOf, uuid } from '#core/kernel/schema/schema.js';
import { findBillingAccount } from '../../accounts/account.js';
import { examplePaymentMethod } from '../../examples.js';
import { findProvider } from '../../providers/find-provider.js';
import { isProviderProblem, providerProblem } from '../../payments/refusals.js';
import { setupRetentionOf } from '../../payments/setup/retention.js';
import { querySetup, recordSetup } from '../../payments/setup/result.js';
import { PaymentMethod } from '../../resources.js';
import { paymentSetups, setupStatuses } from '../../tables/payment.js';

export default defineOperation({
  name: 'billing.payment.confirm',
  summary: 'Asks the payment provider for the result of a setup and stores the payment method.',
  description:
    'The page that the provider returns to does the same, so this call is only needed to learn the result. The new method replaces the previous one, and unpaid invoices are collected from it immediately.',
  keywords: 'card credit debit bank sepa checkout stripe finish result',
  access: 'secret',
  impact: { retrySafe: true },
  accountWide: true,
  input: object({ setupId: uuid('From billing.payment.setup.') }),
  output: object({
    paymentMethod: nullable(PaymentMethod),
    status: oneOf(
      setupStatuses,
      'pending: the owner has not finished; active: the method is stored; failed: nothing was stored, so start again with billing.payment.setup.',
    ),
  }),
  errors: ['provider_failed'],
  events: ['billing.payment.updated', 'billing.payment.failed'],
  example: {
    input: { setupId: '01890a5d-ac96-774b-bcce-b302099a9530' },
    output: { paymentMethod: examplePaymentMethod, status: 'active' },
  },

  async prepare({ setupId }, { db, caller, clock, deployment, fail }) {
    const { accountId } = caller.environment;
    const setup = await db.findOne(paymentSetups, { id: setupId, accountId });
    if (!setup)
      throw fail.not_found({
        ...notFoundOr(paymentSetups.notFound, setupRetentionOf(deployment), setupId, clock.now()),
      });
    try {
      return await querySetup(findProvider(deployment), setup, clock.now());
    } catch (error) {
      if (!isProviderProblem(error)) throw error;
      throw fail.provider_failed(providerProblem(error, 'billing.payment.confirm'));
    }
  },

  async handle({ setupId }, context) {
    const { db, caller, audit, prepared } = context;
    const before = await lockOwned(db, paymentSetups, caller, setupId);
    const after = await recordSetup(context, [caller.environment], before, prepared);
    audit({
      subject: { type: 'payment_setup', id: setupId },
      summary: after.status === 'active' ? 'Stored a payment method.' : 'A payment method could not be added.',
      changes: before.status === after.status ? [] : [{ field: 'status', from: before.status, to: after.status }],
      unchanged: `the setup was ${after.status}.`,
    });
    const account = after.status === 'active' ? await findBillingAccount(db, caller.environment.accountId) : null;
    return { paymentMethod: account?.paymentMethod ?? null, status: after.status };
  },
});
