import type { Plugin } from '#core/kernel/plugin.js';
import { missingTables } from '#core/runtime/database/missing-tables.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { WorkQueue } from '#core/runtime/work/queue.js';
import { StartError } from './start-error.js';

/**
 * Checks, once the database is migrated, that it has the tables that the enabled plugins declare.
 * @throws StartError naming each missing table and its plugin
 */
export const checkTables = (database: ReadSession, plugins: readonly Plugin[]): Promise<void> =>
  check(
    database,
    plugins.flatMap(({ name, tables }) =>
      tables.map(({ options }) => ({ table: options.tableName ?? options.name, of: `the plugin ${name}` })),
    ),
  );

/**
 * Checks that the database has the tables of the work queues: one that is missing would stop the look-out for due work in all of them.
 * @throws StartError naming each missing table and its queue
 */
export const checkQueueTables = (database: ReadSession, queues: readonly WorkQueue[]): Promise<void> =>
  check(
    database,
    queues.map(({ name, table }) => ({ table, of: `the work queue ${name}` })),
  );

async function check(database: ReadSession, needed: readonly { table: string; of: string }[]): Promise<void> {
  const names = needed.map(({ table }) => table);
  const missing = new Set(await missingTables(database, names));
  if (missing.size === 0) return;
  const problems = needed
    .filter(({ table }) => missing.has(table))
    .map(({ table, of }) => `The database has no table ${table}, which ${of} uses.`);
  throw new StartError(
    `${problems.join('\n')}\n  Create it in a migration under migrations/<product>/ (docs/plugins.md, Tables and migrations). Where it was there before, restore the whole backup (docs/operating.md, Backups).`,
  );
}
