import { oldestKept } from '#core/kernel/environment/retention.js';
import type { Services } from '#core/kernel/services.js';
import type { Database } from '#core/runtime/database/session.js';
import { firstIdAt } from '#core/runtime/id.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import type { MessageDriver } from './driver.js';
import { deleteUnsharedContents, lockContents } from './redact.js';
import type { MessageFields } from './tables.js';

/** Messages that one statement looks at. */
const pageSize = 500;

/** Messages that one transaction changes. Each may have 10 MiB of attachments. */
const messagesPerStep = 10;

/**
 * The recurring job that deletes the contents of a channel's messages, after they have ended for longer than the
 * retention time. The messages, their recipients and their attempts stay.
 */
export const contentRetention = <M extends MessageFields>(
  { database, clock, deployment }: Pick<Services, 'database' | 'clock' | 'deployment'>,
  driver: MessageDriver<M>,
): RecurringJob => ({
  name: `${driver.name}.forget-contents`,
  every: '1 hour',
  isFinal: true,
  async run() {
    const now = clock.now();
    const oldest = oldestKept({ days: deployment.settings.contentRetentionDays }, now);
    let after: Position | undefined = { contentId: Buffer.alloc(16), id: Buffer.alloc(16) };
    while (oldest && after) after = await forgetPage(database, driver, after, oldest, now);
  },
});

/** A message, in the order of the index on contents. */
interface Position {
  readonly contentId: Buffer;
  readonly id: Buffer;
}

const lastId = Buffer.alloc(16, 0xff);

/**
 * Deletes the contents of one page of messages. A message that has lost its content has left the index, so that later
 * runs do not read it.
 * @returns the start of the next page; undefined after the last one
 */
async function forgetPage<M extends MessageFields>(
  database: Database,
  driver: MessageDriver<M>,
  after: Position,
  oldest: Date,
  now: Date,
): Promise<Position | undefined> {
  const table = driver.tables.messages.tableName;
  const rows = await database.rows<{ id: Buffer; content_id: Buffer; ended_at: Date | null }>(
    `SELECT id, content_id, ended_at FROM ${table} FORCE INDEX (content)
     WHERE (content_id = ? AND id > ?) OR (content_id > ? AND content_id < ?) ORDER BY content_id, id LIMIT ?`,
    [after.contentId, after.id, after.contentId, firstIdAt(oldest), pageSize],
  );
  const expired = rows.filter(({ ended_at: endedAt }) => endedAt !== null && endedAt < oldest).map(({ id }) => id);
  for (let from = 0; from < expired.length; from += messagesPerStep)
    await forgetContents(database, driver, expired.slice(from, from + messagesPerStep), oldest, now);
  const last = rows.at(-1);
  if (!last || rows.length < pageSize) return undefined;
  // Ids grow, so the other messages of this content are even younger.
  return { contentId: last.content_id, id: last.id.compare(firstIdAt(oldest)) < 0 ? last.id : lastId };
}

/**
 * Deletes the contents of some messages that have ended. Messages that another transaction has changed since are
 * skipped.
 */
function forgetContents<M extends MessageFields>(
  database: Database,
  driver: MessageDriver<M>,
  ids: readonly Buffer[],
  oldest: Date,
  now: Date,
): Promise<void> {
  const table = driver.tables.messages.tableName;
  return database.transaction(async (db) => {
    const locked = await db.rows<{ id: Buffer; content_id: Buffer }>(
      `SELECT id, content_id FROM ${table}
       WHERE id IN (?) AND content_id IS NOT NULL AND ended_at < ? ORDER BY id FOR UPDATE`,
      [ids, oldest],
    );
    if (locked.length === 0) return;
    const contentIds = await lockContents(
      db,
      driver,
      locked.map((row) => row.content_id),
    );
    // System messages never had a content that can be read.
    await db.run(
      `UPDATE ${table} SET ${driver.withoutContent}, content_id = NULL, content_removed_at = IF(is_system, NULL, ?) WHERE id IN (?)`,
      [now, locked.map(({ id }) => id)],
    );
    await deleteUnsharedContents(db, driver, contentIds);
  });
}
