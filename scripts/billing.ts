import { parseArgs } from 'node:util';
import { invoiceCommands, type InvoiceCommands } from '#plugins/billing/ports.js';
import { runScript, whatItNeeds, type Command } from './run-command.js';

const usage = `Lists invoices, newest first; status is open, past_due, paid or void:

  npm run billing -- list [--status open]

Marks an invoice as paid, such as after a bank transfer arrived:

  npm run billing -- paid SVC-000042

Voids an invoice and reverses the credits that it used:

  npm run billing -- void SVC-000042 --reason "Issued by mistake"

Both take --override, for an invoice with a payment pending at a payment provider that is no longer configured.
It assumes that this payment is never charged: check with the provider first, and cancel it there.

${whatItNeeds}`;

const withCommands =
  (work: (commands: InvoiceCommands) => Promise<string>): Command =>
  ({ deployment, transaction }) => {
    if (!deployment.products.includes('billing'))
      throw new Error('Billing is not enabled: add billing to SVC_PRODUCTS.');
    return transaction('npm run billing', ({ use }) => work(use(invoiceCommands)));
  };

const noInvoices = (status: string | undefined): string =>
  status === undefined
    ? 'There are no invoices yet. A month’s invoice is issued an hour after its end (UTC).'
    : `There is no invoice with the status ${status}.`;

function wanted(): Command | undefined {
  const text = { type: 'string' } as const;
  const override = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { status: text, reason: text, override },
  });
  const [name, number, ...others] = positionals;
  if (name === undefined || others.length > 0 || (name === 'list' && number !== undefined)) return undefined;
  if (name === 'list')
    return withCommands(async (commands) => {
      const invoices = await commands.list(values.status);
      return invoices.length > 0 ? invoices.join('\n') : noInvoices(values.status);
    });
  if (name !== 'paid' && name !== 'void') throw new TypeError(`Unknown command ${name}: use list, paid or void.`);
  if (number === undefined) throw new TypeError(`Name the invoice: npm run billing -- ${name} SVC-000042`);
  if (name === 'paid') return withCommands((commands) => commands.markPaid(number, values.override));
  const { reason } = values;
  if (reason === undefined)
    throw new TypeError(`Give the reason, for the audit log: npm run billing -- void ${number} --reason "…"`);
  return withCommands((commands) => commands.markVoid(number, reason, values.override));
}

await runScript(usage, wanted);
