import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, object, optional, text, url, uuid } from '#core/kernel/schema/schema.js';
import { shift } from '#core/runtime/clock.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { findProvider } from '../../providers/find-provider.js';
import { setupPageUrl } from '../../accounts/links.js';
import { isProviderProblem, providerProblem } from '../../payments/refusals.js';
import { setupMs } from '../../payments/setup/from-page.js';
import { startAtProvider } from '../../payments/setup/start.js';
import { paymentSetups } from '../../tables/payment.js';

export default defineOperation({
  name: 'billing.payment.setup',
  summary: 'Starts adding a payment method at the payment provider and returns the URL of the page to open.',
  description:
    'The owner enters a card or another payment method on the provider’s page; svc never sees it. The page returns to svc, which stores the method and then redirects to `returnUrl`. billing.payment.confirm returns the result. Unpaid invoices are collected from a new method immediately.',
  keywords: 'card credit debit bank iban sepa checkout stripe wallet',
  access: 'secret',
  accountWide: true,
  ownerOnly: true,
  followUp: { operation: 'billing.get', input: {} },
  input: object({
    returnUrl: optional(url('Where to send the owner afterwards; if omitted, they stay on a page of svc.')),
  }),
  output: object({
    setupId: uuid('The setup, for billing.payment.confirm.'),
    url: text('The page to open.'),
    expiresAt: dateTime('When the page expires.'),
  }),
  errors: ['provider_not_configured', 'provider_failed'],
  events: ['billing.payment.setup_started'],
  example: {
    input: { returnUrl: 'https://app.example.com/settings/billing' },
    output: {
      setupId: '01890a5d-ac96-774b-bcce-b302099a9530',
      url: 'https://checkout.stripe.com/c/pay/cs_test_a1',
      expiresAt: '2026-11-21T08:30:00.000Z',
    },
  },

  async handle({ returnUrl }, context) {
    const { db, caller, clock, deployment, fail, emit, audit } = context;
    const provider = findProvider(deployment);
    if (!provider)
      throw fail.provider_not_configured({
        owner: 'This deployment',
        provider: 'payment provider',
        nextStep:
          'Pay invoices as agreed with the operator, who marks them as paid. To collect payments automatically, the operator sets SVC_PAYMENT_URL.',
      });
    if (returnUrl !== undefined && !/^https?:\/\//.test(returnUrl))
      throw invalidField('returnUrl', 'must be an http or https address');
    const id = newId();
    const { environment } = caller;
    const expiresAt = shift(clock.now(), setupMs);
    await db.insert(paymentSetups, {
      id,
      accountId: environment.accountId,
      environmentId: environment.id,
      provider: provider.name,
      providerId: null,
      returnUrl: returnUrl ?? null,
      status: 'pending',
      reason: null,
      failureCode: null,
      activityId: context.activityId,
      createdAt: clock.now(),
      expiresAt,
      endedAt: null,
    });
    audit({
      subject: { type: 'payment_setup', id },
      summary: 'Started adding a payment method.',
      changes: [{ field: 'setupId', from: null, to: id }],
    });
    emit('billing.payment.setup_started', {
      subjectId: id,
      data: { setupId: id, expiresAt: expiresAt.toISOString() },
    });
    // If the process dies now, this page of svc continues from here.
    return { setupId: id, url: setupPageUrl(context, id), expiresAt: expiresAt.toISOString() };
  },

  async finish(reply, { services, clock, deployment, fail }) {
    const provider = findProvider(deployment);
    const setup = await services.database.findOne(paymentSetups, { id: reply.setupId });
    if (!provider || !setup) throw new Error(`The payment setup ${reply.setupId} is gone.`);
    try {
      return { ...reply, url: await startAtProvider(services, provider, setup) };
    } catch (error) {
      if (!isProviderProblem(error)) throw error;
      await services.database.run(
        "UPDATE billing_payment_setup SET status = 'failed', reason = ?, ended_at = ? WHERE id = ? AND status = 'pending'",
        [error.message.slice(0, 500), clock.now(), idBytes(setup.id)],
      );
      throw fail.provider_failed(providerProblem(error, 'billing.payment.setup'));
    }
  },
});
