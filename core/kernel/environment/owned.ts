import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Table } from '#core/runtime/database/table.js';
import type { TenantCaller } from '../caller/caller.js';
import { refusalOf } from '../errors/common.js';
import { idBytes } from '#core/runtime/id.js';

/** The details that not_found reports for a missing row: the kind of thing, and the operation that lists them. */
export interface NotFoundWords {
  readonly thing: string;
  readonly lookup: string;
}

/** A row that belongs to an environment, or to a whole account. */
type OwnedRow = { id: string } & ({ environmentId: string } | { accountId: string });

/** A table whose rows callers refer to by id. Callers see only rows in their environment or account. */
export interface OwnedTable<R extends OwnedRow> extends Table<R> {
  readonly notFound: NotFoundWords;
}

/** `owned(defineTable(…), { thing: 'webhook endpoint', lookup: 'developers.webhook.list' })` */
export const owned = <R extends OwnedRow>(table: Table<R>, notFound: NotFoundWords): OwnedTable<R> =>
  Object.assign(table, { notFound });

/**
 * The caller's row with this id.
 * @param words the text of not_found, if it differs from what the table declares (see notFoundOr)
 * @throws not_found for a row of another environment, exactly as for a row that does not exist
 */
export const findOwned = <R extends OwnedRow>(
  db: ReadSession,
  table: OwnedTable<R>,
  caller: TenantCaller,
  id: string,
  words?: NotFoundWords,
): Promise<R> => select(db, table, caller, id, { words });

/**
 * Like `findOwned`, and locks the row until the transaction ends.
 * @throws not_found, like `findOwned`
 */
export const lockOwned = <R extends OwnedRow>(
  db: Session,
  table: OwnedTable<R>,
  caller: TenantCaller,
  id: string,
): Promise<R> => select(db, table, caller, id, { locking: ' FOR UPDATE' });

async function select<R extends OwnedRow>(
  db: ReadSession,
  table: OwnedTable<R>,
  { environment }: TenantCaller,
  id: string,
  { locking = '', words = table.notFound }: { locking?: '' | ' FOR UPDATE'; words?: NotFoundWords | undefined },
): Promise<R> {
  const byEnvironment = 'environmentId' in table.options.columns;
  const [found] = await db.prepared<object>(
    `SELECT ${table.columnList()} FROM ${table.tableName} WHERE id = ? AND ${byEnvironment ? 'environment_id' : 'account_id'} = ?${locking}`,
    [idBytes(id), idBytes(byEnvironment ? environment.id : environment.accountId)],
  );
  if (!found) throw refusalOf.not_found({ ...words });
  return table.decode(found);
}
