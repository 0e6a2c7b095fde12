import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Import } from '../resources.js';
import type { ImportRow } from '../tables/import.js';
import { parseOptions } from './options.js';

/** An import as it appears in replies and events. */
export const presentImport = (row: ImportRow): ValueOf<typeof Import> => ({
  id: row.id,
  status: row.status,
  dryRun: parseOptions(row.options).dryRun,
  total: row.total,
  processed: row.processed,
  created: row.created,
  updated: row.updated,
  rejected: row.rejected,
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
});
