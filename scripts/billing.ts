import { parseArgs } from 'node:util';
import { invoiceDesk, type InvoiceDesk } from '#core/kernel/ports.js';
import { runCommand, type Command } from './run-command.js';

const usage = `Lists invoices, newest first; status is open, past_due, paid or void:

  npm run billing -- list [--status open]

Marks an invoice as paid, such as after a bank transfer arrived:

  npm run billing -- paid SVC-000042

Cancels an invoice; what it used of credits is given back:

  npm run billing -- void SVC-000042 --reason "Issued by mistake"

It needs the same SVC_* settings as the server, which may be running.
`;

const onDesk =
  (work: (desk: InvoiceDesk) => Promise<string>): Command =>
  ({ deployment, transaction }) => {
    if (!deployment.products.includes('billing'))
      throw new Error('There are no invoices: add billing to SVC_PRODUCTS.');
    return transaction('npm run billing', ({ use }) => work(use(invoiceDesk)));
  };

function wanted(): Command | undefined {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { status: text, reason: text } });
  const [name, number, ...others] = positionals;
  if (others.length > 0) return undefined;
  if (name === 'list' && number === undefined)
    return onDesk(async (desk) => (await desk.list(values.status)).join('\n'));
  if (number === undefined) return undefined;
  if (name === 'paid') return onDesk((desk) => desk.markPaid(number));
  const { reason } = values;
  return name === 'void' && reason !== undefined ? onDesk((desk) => desk.markVoid(number, reason)) : undefined;
}

const command = wanted();
if (!command) {
  process.stderr.write(usage);
  process.exit(2);
}
await runCommand(command);
