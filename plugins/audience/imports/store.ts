import type { Context } from '#core/kernel/context.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import { importParts, imports, type ImportRow } from '../tables/import.js';
import type { Part } from './parts.js';

export const importQueue = { name: 'audience.import', table: 'audience_import_queue' } as const;

/** Stores an import with its rows and adds it to the queue. */
export async function storeImport({ db, wake }: Context, row: ImportRow, parts: Iterable<Part>): Promise<void> {
  await db.insert(imports, row);
  let position = 0;
  for (const { firstRow, contacts } of parts) {
    await db.run(importParts.insertRows([{ importId: row.id, position, firstRow, contacts, screenedAt: null }]));
    position += 1;
  }
  await db.run(
    enqueueStatement(importQueue, [{ id: row.id, partitionId: row.environmentId, lane: 'bulk', dueAt: row.createdAt }]),
  );
  wake(importQueue.name);
}
