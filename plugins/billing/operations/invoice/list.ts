import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore } from '#core/kernel/schema/paging.js';
import { integer, list, object, oneOf, optional, text, withDefault } from '#core/kernel/schema/schema.js';
import { exampleSummary } from '../../examples.js';
import { draftsOf, issuedInvoices } from '../../invoices/list.js';
import { presentSummary } from '../../invoices/present.js';
import { InvoiceSummary } from '../../resources.js';
import { invoiceStatuses } from '../../tables/invoice.js';

export default defineOperation({
  name: 'billing.invoice.list',
  summary: 'Lists invoices, newest first, starting with the draft of the current month.',
  keywords: 'bills history',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    before: optional(text('The `nextBefore` of the previous page: a month.', { minLength: 1, maxLength: 64 })),
    limit: withDefault(integer('The maximum number of invoices.', { minimum: 1, maximum: 100 }), 24),
    status: optional(oneOf(invoiceStatuses, 'Only invoices with this status.')),
  }),
  output: object({ invoices: list(InvoiceSummary), nextBefore }),
  example: { input: { status: 'open' }, output: { invoices: [exampleSummary], nextBefore: null } },

  async handle({ before, limit, status }, context) {
    if (before !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(before))
      throw invalidField('before', 'must be the nextBefore of an earlier page');
    const { accountId } = context.caller.environment;
    const drafts = status === undefined || status === 'draft' ? await draftsOf(context, accountId, before) : [];
    const issued = await issuedInvoices(context.db, accountId, { before, limit: limit + 1, status });
    const found = [...drafts, ...issued];
    const shown = found.slice(0, limit);
    return {
      invoices: shown.map(presentSummary),
      nextBefore: found.length > limit ? (shown.at(-1)?.period ?? null) : null,
    };
  },
});
