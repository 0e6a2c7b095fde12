import { idText } from '#core/runtime/id.js';
import { at, listAt } from '#test/support/json.js';
import type { Evidence } from './check.js';

const meters = {
  'email.message': "SELECT COUNT(*) AS found FROM email_message WHERE broadcast_id IS NULL AND status = 'sent'",
  'email.broadcast_message':
    "SELECT COUNT(*) AS found FROM email_message WHERE broadcast_id IS NOT NULL AND status = 'sent'",
  'sms.segment': "SELECT COALESCE(SUM(segments), 0) AS found FROM sms_message WHERE status = 'sent'",
} as const;

/**
 * Each message is metered once, what was cancelled is reversed, and the amount is the sum of the units.
 * @param readUsage calls billing.usage.get
 */
export async function checkUsage(
  { db, violations, environment }: Evidence,
  readUsage: () => Promise<unknown>,
): Promise<void> {
  const promise = 'Each unit is metered once';
  const usage = await readUsage();
  let units = 0;
  for (const [meter, sql] of Object.entries(meters)) {
    const [row] = await db.rows<{ found: string | number }>(`${sql} AND environment_id = ?`, [environment]);
    const [expected, shown] = [Number(row?.found), quantityOf(usage, meter)];
    units += shown;
    if (expected !== shown) violations.add(promise, `${meter}: ${expected} units left, ${shown} are metered.`);
  }
  const total = Math.round(Number(at(usage, 'total', 'amount')) * 100);
  if (total !== units) violations.add('The amount is the sum of its units', `${units} units cost ${total} cents.`);
  const twice = await db.rows<{ source: Buffer; quantity: string }>(
    `SELECT source_id AS source, SUM(quantity) AS quantity FROM billing_usage WHERE meter = 'email.message'
     GROUP BY source_id HAVING SUM(quantity) NOT IN (0, 1) LIMIT 20`,
  );
  violations.add(promise, ...twice.map(({ source, quantity }) => `${source.toString()} counts ${quantity} times.`));
  const reserved = await db.rows<{ account: Buffer; reserved: string }>(
    'SELECT account_id AS account, reserved FROM billing_month WHERE reserved <> 0',
  );
  violations.add(
    'Reserved amounts are released',
    ...reserved.map((row) => `${idText(row.account)} has ${row.reserved} reserved.`),
  );
}

const quantityOf = (usage: unknown, meter: string): number =>
  listAt(usage, 'rows')
    .filter((row) => at(row, 'meter') === meter && at(row, 'test') === false)
    .reduce<number>((sum, row) => sum + Number(at(row, 'quantity')), 0);
