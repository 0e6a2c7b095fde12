import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';

/* The environments of ids that are not environments, many at once. Ids that are not found are absent. */

/** Ids that one statement reads. */
const atOnce = 1_000;

async function inBatches(
  db: Pick<ReadSession, 'rows'>,
  sql: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let start = 0; start < ids.length; start += atOnce) {
    const rows = await db.rows<{ id: Buffer; environment_id: Buffer }>(sql, [
      ids.slice(start, start + atOnce).map(idBytes),
    ]);
    for (const row of rows) found.set(idText(row.id), idText(row.environment_id));
  }
  return found;
}

/** Those of the ids that are environments, each as its own. */
export const environmentsAmong = (
  db: Pick<ReadSession, 'rows'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  inBatches(db, 'SELECT id, id AS environment_id FROM svc_environment WHERE id IN (?)', ids);

/** The environments of rows. @param table a table with the columns `id` and `environment_id` */
export const environmentsThrough =
  (table: string) =>
  (db: Pick<ReadSession, 'rows'>, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    inBatches(db, `SELECT id, environment_id FROM ${table} WHERE id IN (?)`, ids);

/** The environments that get the audit records of accounts: their oldest live ones. */
export const environmentsOfAccounts = (
  db: Pick<ReadSession, 'rows'>,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  inBatches(
    db,
    `SELECT account_id AS id, MIN(id) AS environment_id FROM svc_environment
     WHERE account_id IN (?) AND kind = 'live' GROUP BY account_id`,
    accountIds,
  );
