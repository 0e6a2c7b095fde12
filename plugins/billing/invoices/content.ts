import type { Reading } from '#core/kernel/context.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { directory } from '#plugins/account/ports.js';
import { usableCredits } from '../credits/credits.js';
import { deploymentSettings } from '../settings/deployment-settings.js';
import { reversalsIn } from '../metering/reversals.js';
import { usageOf } from '../metering/used.js';
import { smallestPayment } from '../providers/find-provider.js';
import { pricesOf } from '../prices/price-list.js';
import { passthroughs, type PassthroughRow } from '../tables/passthrough.js';
import { tariffOf } from '../settings/tariff.js';
import { roundToMinor } from '../money/micros.js';
import { composeInvoice, type Composition } from './compose.js';
import { singleLine, type ContentLine } from './content-line.js';
import { reversalLines, usageLines } from './usage-lines.js';

/** The content of an invoice or draft. */
export interface Content extends Composition {
  readonly lines: readonly ContentLine[];
  readonly fees: readonly PassthroughRow[];
  /** The cancelled invoices whose amounts it takes over. */
  readonly restoredFrom: readonly string[];
  /** In ten-thousandths of a percent. */
  readonly taxPercent: bigint;
  /**
   * Whether the month needs an invoice. It does not if nothing was used, or if it would only carry over a carried
   * amount again.
   */
  readonly isInvoice: boolean;
}

type ContentContext = Reading;

/**
 * Reads the content of an account's invoice for a month, as it is now.
 * @param isClosing counts only the usage that is in the totals, and locks the credits that pay for it
 */
export async function readContent(
  { db, deployment, use }: ContentContext,
  accountId: string,
  period: string,
  isClosing = false,
): Promise<Content> {
  const tariff = tariffOf(deployment);
  const { currency } = tariff;
  const prices = pricesOf(tariff.list, period);
  const source = isClosing ? 'totals' : 'all';
  const projects = await use(directory).projects(accountId);
  const used = await usageOf(db, accountId, period, source);
  const given = await reversalsIn(db, tariff, accountId, period, source);
  const fees = await openFees(db, accountId, period);
  const { carried, restoredFrom } = await carriedInto(db, accountId, period);
  const charged = [
    ...usageLines(used, { period, prices, projects, currency }),
    ...reversalLines(given, { projects, currency }),
    ...fees.map(({ description, fee, amount, projectId }) => {
      const projectName = projects.find(({ id }) => id === projectId)?.name ?? null;
      return singleLine('passthrough', description, amount, { fee, projectId, projectName });
    }),
  ];
  const lines = [...charged, ...carried];
  const credits = await usableCredits(db, accountId, period, isClosing ? ' FOR UPDATE' : '');
  const taxPercent = taxPercentOf(deployment.settingsOf(deploymentSettings).taxPercent);
  const composition = composeInvoice(
    lines.map(({ amount }) => amount),
    credits,
    { taxPercent, currency, smallest: await smallestAmount({ db, deployment }, { accountId, currency }) },
  );
  const isInvoice = charged.length > 0 || (carried.length > 0 && composition.carried === 0n);
  const out =
    composition.carried === 0n
      ? []
      : [singleLine('carried_out', 'Carried over to a later invoice', -composition.carried)];
  return { ...composition, lines: [...lines, ...out], fees, restoredFrom, taxPercent, isInvoice };
}

/**
 * The smallest amount that is collected from an account: the payment provider's minimum, and more than what it has
 * refused. Without that, a month without usage would repeat the refused invoice.
 */
async function smallestAmount(
  { db, deployment }: Pick<Reading, 'db' | 'deployment'>,
  { accountId, currency }: { accountId: string; currency: string },
): Promise<bigint> {
  const stated = smallestPayment(deployment, currency);
  // Without a payment provider, the operator collects any amount.
  if (stated === 0n) return stated;
  const [row] = await db.rows<{ refused: string | null }>(
    'SELECT CAST(MAX(total) AS CHAR) AS refused FROM billing_invoice WHERE account_id = ? AND carried_at IS NOT NULL',
    [idBytes(accountId)],
  );
  const refused = row?.refused == null ? 0n : roundToMinor(BigInt(row.refused), currency) + 1n;
  return refused > stated ? refused : stated;
}

/** The fees of a month that are not on an invoice yet. */
async function openFees(db: ReadSession, accountId: string, period: string): Promise<PassthroughRow[]> {
  const rows = await db.find(passthroughs, { accountId, period });
  return rows.filter(({ invoiceId }) => invoiceId === null).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * The amounts that the last invoice before a month moved to the next one, and that cancelled invoices have left to be
 * taken over.
 */
async function carriedInto(
  db: ReadSession,
  accountId: string,
  period: string,
): Promise<{ carried: ContentLine[]; restoredFrom: string[] }> {
  const rows = await db.rows<{ id: Buffer; period: Buffer; amount: string; is_restored: number }>(
    `(SELECT id, period, CAST(carried AS CHAR) AS amount, 0 AS is_restored FROM billing_invoice
      WHERE account_id = ? AND period < ? ORDER BY period DESC LIMIT 1)
     UNION ALL
     SELECT id, period, CAST(restored AS CHAR), 1 FROM billing_invoice
     WHERE account_id = ? AND period < ? AND restored <> 0 AND restored_to IS NULL ORDER BY is_restored, period`,
    [idBytes(accountId), Buffer.from(period), idBytes(accountId), Buffer.from(period)],
  );
  return {
    carried: rows.flatMap((row) => {
      const usagePeriod = row.period.toString();
      return row.amount === '0'
        ? []
        : [singleLine('carried_in', `Carried over from ${usagePeriod}`, BigInt(row.amount), { usagePeriod })];
    }),
    restoredFrom: rows.flatMap((row) => (row.is_restored === 1 ? [idText(row.id)] : [])),
  };
}

/** A percentage of the settings in ten-thousandths of a percent: `8.25` is 82500. */
function taxPercentOf(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole) * 10_000n + BigInt(decimals.padEnd(4, '0'));
}
