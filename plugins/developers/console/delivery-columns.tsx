import { Status, textAt, type Column } from '#core/surfaces/console/kit/index.js';
import { outcomeOf } from './health.js';

/** The columns of lists of deliveries: what the endpoint answered is in the row. */
export const deliveryColumns: readonly Column[] = [
  { title: 'Event', field: 'eventType' },
  {
    title: 'Status',
    field: 'status',
    show: (row) => <Status status={textAt(row, 'status')} tone={toneOfDelivery(textAt(row, 'status'))} />,
  },
  { title: 'Response', field: 'error', show: (row) => <span title={outcomeOf(row)}>{outcomeOf(row)}</span> },
  { title: 'Attempt', field: 'attempt', number: true },
  { title: 'When', field: 'scheduledAt' },
];

/** `dead` is a delivery that was given up; `failed` is an attempt that another follows. */
export const toneOfDelivery = (status: string): 'good' | 'warn' | 'bad' | 'run' =>
  status === 'delivered' ? 'good' : status === 'dead' ? 'bad' : status === 'failed' ? 'warn' : 'run';
