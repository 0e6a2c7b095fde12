import { defineOperation } from '#core/kernel/operation.js';
import { accessRefusal } from '#core/kernel/runner/resolve.js';
import { boolean, nullable, object, text, withDefault } from '#core/kernel/schema/schema.js';
import { exampleInvoice } from '../../examples.js';
import { invoicePageUrl } from '../../accounts/links.js';
import { documentOf } from '../../invoices/pdf/document.js';
import { presentInvoice } from '../../invoices/present.js';
import { readInvoice } from '../../invoices/read.js';
import { deploymentSettings } from '../../settings/deployment-settings.js';
import { Invoice, period as periodSchema } from '../../resources.js';
import pay from './pay.js';

export default defineOperation({
  name: 'billing.invoice.get',
  summary:
    'Returns a month’s invoice with its priced lines, its status, the reason the last collection failed and, if requested, a PDF.',
  description:
    'The current month has a draft that shows its charges so far. A month is closed and its invoice issued an hour after the month ends (UTC). Once issued, only the status of an invoice changes. A month without usage has no invoice. The PDF is in the language of the account’s first project.',
  keywords: 'bill receipt download document',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  // Rendering takes a tenth of a second.
  mayTakeLong: ({ pdf }) => pdf,
  input: object({
    period: periodSchema,
    pdf: withDefault(boolean('Whether to return the invoice as a PDF too.'), false),
  }),
  output: object({
    invoice: Invoice,
    pdf: nullable(text('The PDF in base64; null if it was not requested.')),
    pageUrl: nullable(
      text(
        'The page that shows the invoice and where it can be paid, to anyone who has this address. Null for a draft, and for callers who may not call billing.invoice.pay.',
      ),
    ),
  }),
  example: {
    input: { period: '2026-10' },
    output: {
      invoice: exampleInvoice,
      pdf: null,
      pageUrl: `https://svc.example.com/billing/invoice?token=${exampleInvoice.id}.kJ0mX`,
    },
  },

  async handle({ period, pdf }, context) {
    const { caller, clock, fail, deployment } = context;
    const found = await readInvoice(context, caller.environment.accountId, period);
    if (!found) throw fail.not_found({ thing: 'invoice', lookup: 'billing.invoice.list' });
    const { invoice, lines } = found;
    // The page asks for nothing but its address, so only callers who may pay get it.
    const hasPage = invoice.status !== 'draft' && accessRefusal(pay, caller) === undefined;
    return {
      invoice: presentInvoice(invoice, lines),
      pdf: pdf ? await render() : null,
      pageUrl: hasPage ? invoicePageUrl(context, invoice.id) : null,
    };

    async function render(): Promise<string> {
      // Loaded at the first PDF: few processes ever make one.
      const { renderInvoice } = await import('../../invoices/pdf/render.js');
      const { invoiceFont } = deployment.settingsOf(deploymentSettings);
      const bytes = await renderInvoice(documentOf(invoice, lines), invoice.issuedAt ?? clock.now(), invoiceFont);
      return bytes.toString('base64');
    }
  },
});
