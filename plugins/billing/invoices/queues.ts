import type { Context } from '#core/kernel/context.js';
import { enqueueStatement, type QueueRef } from '#core/runtime/work/queue.js';
import type { InvoiceRow } from '../tables/invoice.js';

/** Closes the months of accounts; the ids are account ids. */
export const closeQueue: QueueRef = { name: 'billing.close-months', table: 'billing_close_queue' };

/** Collects invoices; the ids are invoice ids, the partitions account ids. */
export const collectionQueue: QueueRef = { name: 'billing.collect-invoices', table: 'billing_collection_queue' };

/** Queues the collection of an invoice that was just issued, in the transaction that issues it. */
export async function queueCollection(
  { db, wake }: Pick<Context, 'db' | 'wake'>,
  { id, accountId, createdAt }: Pick<InvoiceRow, 'id' | 'accountId' | 'createdAt'>,
): Promise<void> {
  const work = { id, partitionId: accountId, lane: 'transactional', dueAt: createdAt } as const;
  await db.run(enqueueStatement(collectionQueue, [work]));
  wake(collectionQueue.name);
}
