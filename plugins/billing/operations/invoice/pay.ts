import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { exampleInvoice } from '../../examples.js';
import { presentInvoice } from '../../invoices/present.js';
import { readDraft, readInvoice } from '../../invoices/read.js';
import { findInvoice, isUnpaid, lockInvoice } from '../../invoices/status.js';
import { collectInvoice } from '../../payments/collection/collect.js';
import { ownClaim } from '../../payments/collection/lease.js';
import { takeOver } from '../../payments/collection/pay-now.js';
import { releaseUnavailable } from '../../payments/collection/work.js';
import { findProvider } from '../../providers/find-provider.js';
import { invoicePageUrl } from '../../accounts/links.js';
import { PaymentUnavailable } from '../../providers/provider.js';
import { Invoice, period as periodSchema } from '../../resources.js';

export default defineOperation({
  name: 'billing.invoice.pay',
  summary: 'Collects payment for an open or past-due invoice immediately.',
  description:
    'If the result of an earlier attempt is still unknown, that attempt is queried instead of starting another, so a repeat never charges twice. If the bank takes days to decide, the invoice is returned as `open`, and billing.payment.updated or billing.payment.failed reports the result later. If the amount is less than the payment provider collects, the invoice becomes `void`, and the next one takes it over. If the bank requires the owner’s confirmation, `details.url` of the error is the page to open.',
  keywords: 'bill charge settle retry card collect',
  access: 'secret',
  accountWide: true,
  input: object({ period: periodSchema }),
  output: object({ invoice: Invoice }),
  errors: ['invoice_not_open', 'payment_method_missing', 'payment_failed'],
  events: ['billing.payment.failed', 'billing.payment.updated', 'email.broadcast.resumed', 'sms.broadcast.resumed'],
  example: {
    input: { period: '2026-10' },
    output: { invoice: { ...exampleInvoice, status: 'paid', paidAt: '2026-11-20T09:30:00.000Z' } },
  },

  async handle({ period }, context) {
    const { db, caller, deployment, fail, audit } = context;
    const found = await findInvoice(db, caller.environment.accountId, period);
    const invoice = found && (await lockInvoice(db, found.id));
    if (!invoice) {
      if (!(await readDraft(context, caller.environment.accountId, period)))
        throw fail.not_found({ thing: 'invoice of that month', lookup: 'billing.invoice.list' });
      throw fail.invoice_not_open({
        problem: `The invoice of ${period} is a draft`,
        nextStep: 'It is issued and collected an hour after the month ends (UTC). There is nothing to pay yet.',
      });
    }
    if (!isUnpaid(invoice))
      throw fail.invoice_not_open({
        problem: `The invoice of ${period} is ${invoice.status}`,
        nextStep: 'Call billing.invoice.list with the status open or past_due to see which invoices can be paid.',
      });
    const taken = await takeOver(context, invoice);
    if (taken === 'no_method')
      throw fail.payment_method_missing({
        nextStep: findProvider(deployment)
          ? 'Add one with billing.payment.setup, then call billing.invoice.pay again.'
          : 'Pay the invoice as agreed with the operator of this deployment, who marks it as paid.',
      });
    if (taken === 'busy')
      throw fail.payment_failed({
        problem: 'a collection of it is already running',
        nextStep: 'Call billing.invoice.get in a minute to see the result.',
      });
    const isNew = taken.providerId === null && taken.status === 'started';
    audit({
      subject: { type: 'invoice', id: invoice.id },
      summary: `Started to collect invoice ${invoice.number ?? ''}.`,
      changes: isNew ? [{ field: 'attemptId', from: null, to: taken.id }] : [],
      unchanged: `a payment of invoice ${invoice.number ?? ''} was already processing.`,
    });
    const shown = await readInvoice(context, invoice.accountId, period);
    return { invoice: presentInvoice(invoice, shown?.lines ?? []) };
  },

  async finish({ invoice }, context) {
    const { services, caller, fail } = context;
    const claim = ownClaim(invoice.id);
    const options = { now: true, ownerIsThere: false, starter: { environment: caller.environment } };
    try {
      const collected = await collectInvoice(services, claim, options);
      const settled = collected?.settled ?? null;
      if (settled?.status === 'failed') throw fail.payment_failed(declined(settled.reason));
      if (settled?.status === 'requires_action') {
        const url = invoicePageUrl(services, invoice.id);
        const nextStep = `Let an owner open ${url} and confirm the payment, then call billing.invoice.get.`;
        throw fail.payment_failed({ problem: 'the bank requires the owner to confirm it', nextStep, details: { url } });
      }
      return { invoice: await refreshed() };
    } catch (error) {
      if (!(error instanceof PaymentUnavailable)) throw error;
      await releaseUnavailable(services, claim);
      if (error.isSetup) throw fail.payment_failed(refusedSetup(error.message));
      throw fail.payment_failed({
        problem: `the payment provider did not respond, so the result is not known yet (${error.message.replace(/\.$/, '')})`,
        nextStep:
          'Nothing is charged twice: call billing.invoice.pay again in a few minutes, or check billing.invoice.get.',
      });
    }

    async function refreshed(): Promise<typeof invoice> {
      const read = await services.read('Payment', ({ db, deployment, use, clock }) =>
        readInvoice({ db, deployment, use, clock }, caller.environment.accountId, invoice.period),
      );
      if (!read) throw new Error(`Invoice ${invoice.id} is gone.`);
      return presentInvoice(read.invoice, read.lines);
    }
  },
});

const refusedSetup = (reason: string): { problem: string; nextStep: string } => ({
  problem: `the payment provider refused it because of how this deployment is set up (${reason.replace(/\.$/, '')})`,
  nextStep:
    'Nothing is charged, and the invoice does not become past due because of it. The operator of this deployment must check its account at the payment provider.',
});

const declined = (reason: string): { problem: string; nextStep: string } => ({
  problem: reason.replace(/\.$/, ''),
  nextStep:
    'Add another payment method with billing.payment.setup, which also collects the invoice, or call billing.invoice.pay again later.',
});
