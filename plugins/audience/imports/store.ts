import type { Context } from '#core/kernel/context.js';
import { insertInto } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import { imports, type ImportRow } from '../tables/import.js';
import type { Part } from './parts.js';

export const importQueue = { name: 'audience.import', table: 'audience_import_queue' } as const;

/** Stores an import, its rows and its place in the queue, in the transaction that accepts it. */
export async function storeImport({ db, wake }: Context, row: ImportRow, parts: Iterable<Part>): Promise<void> {
  await db.insert(imports, row);
  let position = 0;
  for (const { firstRow, contacts } of parts) {
    const values = { import_id: idBytes(row.id), position, first_row: firstRow, contacts };
    const { sql, parameters } = insertInto('audience_import_part', [values]);
    await db.run(sql, parameters);
    position += 1;
  }
  const { sql, parameters } = enqueueStatement(importQueue, [
    { id: row.id, partitionId: row.environmentId, lane: 'bulk', dueAt: row.createdAt },
  ]);
  await db.run(sql, parameters);
  wake(importQueue.name);
}
