import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { invoices, type InvoiceRow, type InvoiceStatus } from '../tables/invoice.js';
import { periodOf, previousPeriod } from '../periods/months.js';
import { readDraft, type DraftContext } from './read.js';
import { findInvoice } from './status.js';

/**
 * The drafts of an account, newest first: the one for the present month, and the one for the last month until it is
 * closed. @param before a month
 */
export async function draftsOf(
  context: DraftContext,
  accountId: string,
  before: string | undefined,
): Promise<InvoiceRow[]> {
  const present = periodOf(context.clock.now());
  const drafts: InvoiceRow[] = [];
  for (const period of [present, previousPeriod(present)]) {
    if (before !== undefined && period >= before) continue;
    if (await findInvoice(context.db, accountId, period)) continue;
    const draft = await readDraft(context, accountId, period);
    if (draft) drafts.push(draft.invoice);
  }
  return drafts;
}

/** The invoices that were issued to an account, newest first. @param before a month */
export async function issuedInvoices(
  db: ReadSession,
  accountId: string,
  { before, limit, status }: { before: string | undefined; limit: number; status: InvoiceStatus | undefined },
): Promise<InvoiceRow[]> {
  const rows = await db.rows<object>(
    `SELECT ${invoices.columnList()} FROM billing_invoice WHERE account_id = ?
     ${before === undefined ? '' : 'AND period < ?'} ${status === undefined ? '' : 'AND status = ?'}
     ORDER BY period DESC LIMIT ?`,
    [
      idBytes(accountId),
      ...(before === undefined ? [] : [Buffer.from(before)]),
      ...(status === undefined ? [] : [Buffer.from(status)]),
      limit,
    ],
  );
  return rows.map((row) => invoices.decode(row));
}
