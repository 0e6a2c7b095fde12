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
    const { sql, parameters } = importParts.insertRows([{ importId: row.id, position, firstRow, contacts }]);
    await db.run(sql, parameters);
    position += 1;
  }
  const { sql, parameters } = enqueueStatement(importQueue, [
    { id: row.id, partitionId: row.environmentId, lane: 'bulk', dueAt: row.createdAt },
  ]);
  await db.run(sql, parameters);
  wake(importQueue.name);
}
