import type { Plugin } from '#core/kernel/plugin.js';
import { missingTables } from '#core/runtime/database/missing-tables.js';
import { tableNameOf } from '#core/runtime/database/table.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { WorkQueue } from '#core/runtime/work/queue.js';
import { StartError } from './start-error.js';

/**
 * Checks, after the database is migrated, that it has the tables of the enabled plugins and of the work queues. One
 * statement looks for due work in all queues, and would fail for all of them if one had no table.
 * @throws StartError naming each missing table and its user
 */
export async function checkTables(
  database: ReadSession,
  plugins: readonly Plugin[],
  queues: readonly WorkQueue[],
): Promise<void> {
  const needed = [
    ...plugins.flatMap(({ name, tables }) =>
      tables.map((each) => ({ table: tableNameOf(each), of: `the plugin ${name}` })),
    ),
    ...queues.map(({ name, table }) => ({ table, of: `the work queue ${name}` })),
  ];
  const missing = new Set(
    await missingTables(
      database,
      needed.map(({ table }) => table),
    ),
  );
  if (missing.size === 0) return;
  const problems = needed
    .filter(({ table }) => missing.has(table))
    .map(({ table, of }) => `The database has no table ${table}, which ${of} uses.`);
  throw new StartError(
    `${problems.join('\n')}\n  Create it in a migration under migrations/<product>/ (docs/plugins.md, Tables and migrations). Where it was there before, restore the whole backup (docs/operating.md, Backups).`,
  );
}
