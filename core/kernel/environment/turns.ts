import { idList } from '#core/runtime/database/literal.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { tableNameOf } from '#core/runtime/database/table.js';
import { idText } from '#core/runtime/id.js';
import type { Turns } from '#core/runtime/turn-tree.js';
import { turnsOf } from '../caller/share.js';

/*
 * Who takes turns for work whose rows have only an id: a work queue knows its partitions, a message its environment. An
 * environment never changes its account or its kind, so each is read once.
 */

/** Reads whose turn it is. @returns by id; ids that do not exist are absent */
export type ReadTurns = (ids: readonly string[]) => Promise<ReadonlyMap<string, Turns>>;

type Reader = Pick<ReadSession, 'rows'>;

interface Row {
  id: Buffer;
  environment_id: Buffer;
  account_id: Buffer;
  kind: Buffer;
}

/** Environments remembered by this process, about 200 bytes each. */
const most = 50_000;
const known = new Map<string, Turns>();

function remembered({ environment_id: environment, account_id: account, kind }: Omit<Row, 'id'>): Turns {
  const id = idText(environment);
  const turns = known.get(id) ?? turnsOf({ id, accountId: idText(account), kind: liveOrTest(kind) });
  if (known.size >= most) known.clear();
  known.set(id, turns);
  return turns;
}

const liveOrTest = (kind: Buffer): 'live' | 'test' => (kind.toString() === 'live' ? 'live' : 'test');

/** The turns of environments: `turnsOf` for those of which only the id is known. */
export const environmentTurns =
  (db: Reader): ReadTurns =>
  async (ids) => {
    const unknown = ids.filter((id) => !known.has(id));
    const found = new Map(
      ids.flatMap((id) => {
        const turns = known.get(id);
        return turns ? [[id, turns] as const] : [];
      }),
    );
    if (unknown.length === 0) return found;
    const rows = await db.rows<Omit<Row, 'id'>>(
      'SELECT e.id AS environment_id, e.account_id, e.kind FROM svc_environment e WHERE e.id IN (?)',
      [idList(unknown)],
    );
    for (const row of rows) found.set(idText(row.environment_id), remembered(row));
    return found;
  };

/** The turns of one environment. */
export async function turnsOfEnvironment(db: Reader, environmentId: string): Promise<Turns> {
  const turns = known.get(environmentId) ?? (await environmentTurns(db)([environmentId])).get(environmentId);
  return turns ?? [environmentId];
}

/** The turns of the rows of a table that belong to environments, such as endpoints or broadcasts, by their ids. */
export const turnsThrough =
  (db: Reader, table: Parameters<typeof tableNameOf>[0]): ReadTurns =>
  async (ids) => {
    if (ids.length === 0) return new Map();
    const rows = await db.rows<Row>(
      `SELECT o.id, e.id AS environment_id, e.account_id, e.kind FROM ${tableNameOf(table)} o
       JOIN svc_environment e ON e.id = o.environment_id WHERE o.id IN (?)`,
      [idList(ids)],
    );
    return new Map(rows.map((row) => [idText(row.id), remembered(row)]));
  };

/** The turns of accounts. */
export const accountTurns: ReadTurns = (ids) => Promise.resolve(new Map(ids.map((id) => [id, [id]])));
