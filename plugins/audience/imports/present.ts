import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Import } from '../resources.js';
import type { ImportRow } from '../tables/import.js';
import { optionsOf } from './options.js';

/** An import as replies and events carry it. */
export const presentImport = (row: ImportRow): ValueOf<typeof Import> => ({
  id: row.id,
  status: row.status,
  dryRun: optionsOf(row.options).dryRun,
  total: row.total,
  processed: row.processed,
  created: row.created,
  updated: row.updated,
  rejected: row.rejected,
  createdAt: row.createdAt.toISOString(),
  startedAt: row.startedAt?.toISOString() ?? null,
  finishedAt: row.finishedAt?.toISOString() ?? null,
});
