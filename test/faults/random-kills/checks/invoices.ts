import { idBytes, idText } from '#core/runtime/id.js';
import { invoiceCents } from '../load/invoices.js';
import { acceptedOf, answered, type Evidence } from './check.js';

/** One invoice for each account with a month to pay, paid by one charge of its amount; numbers have no gap. */
export async function checkInvoices({ db, journal, violations }: Evidence): Promise<void> {
  const rows = await db.rows<{ account_id: Buffer; number: Buffer | null; status: Buffer; total: string | number }>(
    'SELECT account_id, number, status, total FROM billing_invoice',
  );
  const numbers = rows.flatMap(({ number }) => (number === null ? [] : Number(/\d+$/.exec(number.toString())?.[0])));
  numbers.sort((a, b) => a - b);
  const gap = numbers.findIndex((number, index) => number !== index + 1);
  if (gap >= 0)
    violations.add('Numbers of invoices have no gap', `${numbers[gap] ?? ''} follows ${numbers[gap - 1] ?? 0}.`);
  const labels = acceptedOf(journal, 'billing.payment.confirm').map(({ key }) => key.slice(0, key.lastIndexOf('.')));
  for (const label of new Set(labels)) {
    const signup = journal.entries.get(`${label}.signup`);
    if (signup?.answer?.accepted !== true) continue;
    const account = idBytes(answered(signup, 'result', 'account', 'id'));
    const [month] = await db.rows('SELECT id FROM billing_passthrough WHERE account_id = ?', [account]);
    // A part of a run may have ended before the month was there.
    if (!month) continue;
    const own = rows.filter((row) => row.account_id.equals(account));
    const shown = own.map(({ status, total }) => `${status.toString()} ${total}`).join();
    if (shown !== `paid ${invoiceCents * 10_000}`)
      violations.add(
        'A month is invoiced once and paid',
        `${label} (${idText(account)}) has ${shown === '' ? 'no invoice' : shown}.`,
      );
    const charges = journal.charges.filter(({ id }) => id === label).map(({ to }) => to);
    if (charges.join() !== String(invoiceCents))
      violations.add('An invoice is charged once', `${label} was charged ${charges.join(' and ')} cents.`);
  }
}
