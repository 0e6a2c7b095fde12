import { addressOf, choiceText, namedIn, textAt, type SearchSource } from '#core/surfaces/console/kit/index.js';
import { monthName } from './standing.js';

const sources: readonly SearchSource[] = [
  namedIn({
    needs: 'billing.invoice.list',
    rows: 'invoices',
    group: 'Invoices',
    icon: 'card',
    title: (row) => `Invoice of ${monthName(textAt(row, 'period'))}`,
    words: (row) => `${monthName(textAt(row, 'period'))} ${textAt(row, 'period')} ${textAt(row, 'number')}`,
    beside: (row) => textAt(row, 'number'),
    after: (row) => choiceText(textAt(row, 'status')),
    href: (row) => addressOf(['billing', 'invoice', textAt(row, 'period')]),
  }),
];

export default sources;
