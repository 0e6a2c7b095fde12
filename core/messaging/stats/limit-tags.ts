import type { Session } from '#core/runtime/database/session.js';
import { otherTags, statCounters, tagsPerDay, type StatTables } from '../stat-tables.js';

/** A change of a tag that has no counts on its day. */
interface NewTag {
  readonly id: Buffer;
  readonly environmentId: Buffer;
  readonly day: number;
  readonly value: string;
}

/**
 * Moves changes of tags to `otherTags` if the environment and day have counts of `tagsPerDay` tags already. Counts are
 * never removed before their day is forgotten, so all changes of a tag are counted in one place, and sums stay exact.
 *
 * Locks the counts of all messages of these environments and days until the transaction ends, in the order of their
 * key, so that two transactions neither create more tags than the limit nor deadlock.
 * @param ids of changes that the transaction has locked and will add to the counts
 */
export async function limitTags(db: Session, { counts, changes }: StatTables, ids: readonly Buffer[]): Promise<void> {
  const [counted, changed] = [counts.tableName, changes.tableName];
  const columns = statCounters.join(', ');
  await db.run(
    `INSERT INTO ${counted} (environment_id, dimension, value, day, ${columns})
     SELECT DISTINCT environment_id, 'all', '', day, ${statCounters.map(() => '0').join(', ')}
     FROM ${changed} WHERE id IN (?) ORDER BY environment_id, day
     ON DUPLICATE KEY UPDATE queued = ${counted}.queued`,
    [ids],
  );
  const found = await db.rows<NewTag>(
    `SELECT id, environment_id AS environmentId, day, CAST(value AS CHAR) AS value FROM ${changed} stat
     WHERE id IN (?) AND dimension = 'tag' AND NOT EXISTS (
       SELECT 1 FROM ${counted} own WHERE own.environment_id = stat.environment_id AND own.dimension = 'tag'
         AND own.value = stat.value AND own.day = stat.day)
     ORDER BY id`,
    [ids],
  );
  const overLimit = (await Promise.all(byDay(found).map((tags) => changesOverLimit(db, counted, tags)))).flat();
  if (overLimit.length > 0)
    await db.run(`UPDATE ${changed} SET value = '${otherTags}' WHERE id IN (?)`, [overLimit.map(({ id }) => id)]);
}

function byDay(tags: readonly NewTag[]): NewTag[][] {
  const days = new Map<string, NewTag[]>();
  for (const tag of tags) {
    const key = `${tag.environmentId.toString('hex')} ${tag.day}`;
    const day = days.get(key);
    if (day) day.push(tag);
    else days.set(key, [tag]);
  }
  return [...days.values()];
}

/** @param tags changes of one environment and day */
async function changesOverLimit(
  db: Pick<Session, 'rows'>,
  counted: string,
  tags: readonly NewTag[],
): Promise<readonly NewTag[]> {
  const [first] = tags;
  if (!first) return [];
  // The index `day` continues with the primary key, so it has these rows in one range.
  const [row] = await db.rows<{ used: number }>(
    `SELECT COUNT(*) AS used FROM (SELECT 1 FROM ${counted} FORCE INDEX (day)
       WHERE day = ? AND environment_id = ? AND dimension = 'tag' LIMIT ?) tags`,
    [first.day, first.environmentId, tagsPerDay],
  );
  const room = Math.max(0, tagsPerDay - (row?.used ?? 0));
  const admitted = new Set([...new Set(tags.map(({ value }) => value))].slice(0, room));
  return tags.filter(({ value }) => !admitted.has(value));
}
