import type { ReadContext } from '#core/kernel/context.js';
import { deploymentSettings } from '../settings/deployment-settings.js';
import { invoiceLines, untouched, type InvoiceRow } from '../tables/invoice.js';
import { readContent } from './content.js';
import type { ContentLine } from './content-line.js';
import { invoiceIdOf } from './ids.js';
import { buyerOf, letterheadFor } from './letterhead.js';
import { periodOf } from '../periods/months.js';
import { firstOpenPeriod } from '../periods/open-period.js';
import { findInvoice } from './status.js';

export type DraftContext = Pick<ReadContext, 'db' | 'deployment' | 'use' | 'clock'>;

export interface InvoiceWithLines {
  readonly invoice: InvoiceRow;
  readonly lines: readonly ContentLine[];
}

/** An account's invoice for a month, or the draft if the month is not closed; null if there is neither. */
export async function readInvoice(
  context: DraftContext,
  accountId: string,
  period: string,
): Promise<InvoiceWithLines | null> {
  const invoice = await findInvoice(context.db, accountId, period);
  if (!invoice) return readDraft(context, accountId, period);
  const lines = await context.db.find(invoiceLines, { invoiceId: invoice.id });
  return { invoice, lines: lines.sort((a, b) => a.position - b.position) };
}

/**
 * The draft of a month's invoice as it is now. The present month always has one; an earlier month that is not closed
 * yet has one if it will have an invoice.
 */
export async function readDraft(
  context: DraftContext,
  accountId: string,
  period: string,
): Promise<InvoiceWithLines | null> {
  const { db, clock, deployment } = context;
  const now = clock.now();
  const present = periodOf(now);
  if (period > present) return null;
  if (period < present) {
    const first = await firstOpenPeriod(db, accountId);
    if (first === null || period < first) return null;
  }
  const { lines, ...content } = await readContent(context, accountId, period);
  if (period < present && !content.isInvoice) return null;
  const { subtotal, credit, taxPercent, tax, total, carried } = content;
  const { accountName, details } = await buyerOf(context, accountId);
  const invoice: InvoiceRow = {
    ...{ id: invoiceIdOf(accountId, period), accountId, period, number: null, status: 'draft' },
    ...{ currency: deployment.settingsOf(deploymentSettings).currency },
    ...untouched,
    ...{ subtotal, credit, taxPercent, tax, total, carried },
    ...{ letterhead: await letterheadFor(context, accountId), details, accountName },
    ...{ issuedAt: null, dueAt: null, paidAt: null, createdAt: now },
  };
  return { invoice, lines };
}
