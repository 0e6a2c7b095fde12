import { environmentsOfAccounts } from '#core/kernel/environment/owners.js';
import type { OutgoingKind, OutgoingPart } from '#core/kernel/outgoing/kind.js';
import { queuedKind } from '#core/kernel/outgoing/queue-kind.js';
import { idText } from '#core/runtime/id.js';
import { lanes } from '#core/runtime/work/queue.js';
import { closeQueue, collectionQueue } from '../invoices/queues.js';
import { queueMonthCloses, unqueuedCloses } from './close-work.js';

/* What would be invoiced and charged, for operators who restored a backup. */

const queuedCloses = queuedKind({
  name: 'invoices',
  byDue: true,
  one: 'account with months to invoice,',
  several: 'accounts with months to invoice,',
  queue: closeQueue,
  operation: 'billing.invoice.list',
  environmentsOf: environmentsOfAccounts,
  insteadOfCancel:
    'Every month is invoiced once. Release it, then void what had been invoiced before: npm run billing -- void.',
  async queueAll(services) {
    await queueMonthCloses(services);
  },
});

/** Months that svc closes, with an invoice for each: one row for each account, or none before the job has run. */
export const monthCloses: OutgoingKind = {
  ...queuedCloses,
  async parts(db, now) {
    const accounts = (await unqueuedCloses(db, now)).map(idText);
    const environments = await environmentsOfAccounts(db, accounts);
    const unqueued = accounts.flatMap((id): OutgoingPart[] => {
      const environmentId = environments.get(id);
      const part = { id, lane: lanes.transactional, isHeld: false, count: 1, due: 1, oldest: now, newest: now };
      return environmentId === undefined ? [] : [{ ...part, environmentId }];
    });
    return [...(await queuedCloses.parts(db, now)), ...unqueued];
  },
};

/** Charges of invoices. */
export const charges = queuedKind({
  name: 'charges',
  byDue: true,
  one: 'charge of an invoice',
  several: 'charges of invoices',
  queue: collectionQueue,
  operation: 'billing.invoice.pay',
  environmentsOf: environmentsOfAccounts,
  insteadOfCancel: 'Settle the invoice: npm run billing -- paid, if it was paid meanwhile, or npm run billing -- void.',
});
