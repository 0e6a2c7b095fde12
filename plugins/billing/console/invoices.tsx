import {
  addressOf,
  Empty,
  exactDay,
  Head,
  List,
  money,
  operationNamed,
  textAt,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { monthName, PastDue } from './standing.js';
import { texts } from './texts.js';

/** An amount of an invoice with its currency. */
const amountOf = (row: Row, field: string): string =>
  money({ currency: textAt(row, 'currency') || 'USD', amount: textAt(row, field) || '0' });

/** When something happened to it, or will. */
function dateOf(row: Row): string {
  const [issued, due, paid] = [textAt(row, 'issuedAt'), textAt(row, 'dueAt'), textAt(row, 'paidAt')];
  if (paid !== '') return `Paid on ${exactDay(paid)}`;
  if (textAt(row, 'status') === 'void' || issued === '') return '';
  return due === '' ? `Issued on ${exactDay(issued)}` : `Due on ${exactDay(due)}`;
}

const columns: readonly Column[] = [
  { title: 'Month', field: 'period', show: (row) => monthName(textAt(row, 'period')) },
  { title: 'Status', field: 'status' },
  { title: 'Total', field: 'total', number: true, show: (row) => amountOf(row, 'total') },
  { title: 'Number', field: 'number' },
  { title: 'When', field: 'dueAt', show: dateOf },
  {
    title: 'Last attempt',
    field: 'lastFailure.reason',
    show: (row) => <span class="reason">{textAt(row, 'lastFailure.reason')}</span>,
  },
];

/** The account's invoices, with what is due. */
export default function Invoices() {
  const list = operationNamed('billing.invoice.list');
  if (!list) return null;
  return (
    <>
      <Head title="Invoices" sub={texts.invoicesSub} />
      <PastDue />
      <List
        operation={list}
        columns={columns}
        filters={['status']}
        hrefOf={(row) => addressOf(['billing', 'invoice', textAt(row, 'period')])}
        empty={<Empty title={texts.noInvoices}>{texts.noInvoicesYet}</Empty>}
      />
    </>
  );
}
