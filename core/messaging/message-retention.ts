import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { findOwned, type OwnedTable } from '#core/kernel/environment/owned.js';
import { notFoundOr, oldestKept, type Retention } from '#core/kernel/environment/retention.js';
import type { Services } from '#core/kernel/services.js';
import { deleteRows } from '#core/runtime/database/delete-in-batches.js';
import type { Database } from '#core/runtime/database/session.js';
import { firstIdAt, idTextSql } from '#core/runtime/id.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import type { MessageDriver } from './driver.js';
import { deleteUnsharedContents, lockContents } from './redact.js';
import type { MessageFields } from './tables.js';

/** Messages that one statement looks at. */
const pageSize = 500;

/**
 * The number of messages that one transaction deletes, and how many of them may have their own content. Each content
 * may have 10 MiB of attachments.
 */
const perStep = { withoutContent: 100, withContent: 10 };

/** The rows of a retention, as replies name it. */
export const messagesKept = { variable: 'SVC_MESSAGE_RETENTION_DAYS', rows: 'messages that finished' } as const;

/** How long messages are kept. */
export const messageRetentionOf = ({ settings }: Pick<Deployment, 'settings'>): Retention => ({
  ...messagesKept,
  days: settings.messageRetentionDays,
});

/**
 * The caller's message with this id.
 * @throws not_found, which states if messages of that age are deleted
 */
export const findMessage = <M extends MessageFields>(
  {
    db,
    caller,
    clock,
    deployment,
  }: Pick<ReadContext, 'db' | 'clock' | 'deployment'> & { readonly caller: TenantCaller },
  table: OwnedTable<M>,
  id: string,
): Promise<M> =>
  findOwned(db, table, caller, id, notFoundOr(table.notFound, messageRetentionOf(deployment), id, clock.now()));

/**
 * The recurring job that deletes a channel's messages, with everything that belongs to them, after they have ended for
 * longer than the retention time. Statistics, the counts of broadcasts and metering are stored separately and stay.
 *
 * Messages of incomplete broadcasts are kept, and so are messages that events are about: an erasure finds these events
 * by their message.
 */
export const messageRetention = <M extends MessageFields>(
  { database, clock, deployment }: Pick<Services, 'database' | 'clock' | 'deployment'>,
  driver: MessageDriver<M>,
): RecurringJob => ({
  name: `${driver.name}.forget-messages`,
  every: '1 hour',
  isFinal: true,
  async run() {
    const oldest = oldestKept(messageRetentionOf(deployment), clock.now());
    let after: Buffer | undefined = Buffer.alloc(16);
    while (oldest && after) after = await forgetPage(database, driver, after, oldest);
  },
});

/** Deletes the expired ones of a page of messages. @returns the last id of the page; undefined after the last page */
async function forgetPage<M extends MessageFields>(
  database: Database,
  driver: MessageDriver<M>,
  after: Buffer,
  oldest: Date,
): Promise<Buffer | undefined> {
  const { messages, broadcasts, contents } = driver.tables;
  const [content] = contents;
  const isComplete = broadcasts
    ? `(m.broadcast_id IS NULL OR EXISTS (SELECT 1 FROM ${broadcasts.broadcasts.tableName} b
         WHERE b.id = m.broadcast_id AND b.completed_at IS NOT NULL))`
    : '1';
  const rows = await database.rows<{ id: Buffer; has_content: number; expired: number }>(
    `SELECT m.id, EXISTS (SELECT 1 FROM ${content.table} c WHERE c.${content.key} = m.content_id) AS has_content,
       COALESCE(m.ended_at < ? AND ${isComplete} AND NOT EXISTS (SELECT 1 FROM svc_event v FORCE INDEX (subject)
         WHERE v.environment_id = m.environment_id AND v.subject_id = CAST(${idTextSql('m.id')} AS BINARY(36))), 0) AS expired
     FROM ${messages.tableName} m FORCE INDEX (PRIMARY) WHERE m.id > ? AND m.id < ? ORDER BY m.id LIMIT ?`,
    [oldest, after, firstIdAt(oldest), pageSize],
  );
  const expired = rows.filter((row) => row.expired === 1);
  for (const size of [perStep.withoutContent, perStep.withContent]) {
    const ids = expired.flatMap(({ id, has_content: has }) =>
      (has === 1) === (size === perStep.withContent) ? [id] : [],
    );
    for (let from = 0; from < ids.length; from += size)
      await forgetMessages(database, driver, ids.slice(from, from + size), oldest);
  }
  return rows.length < pageSize ? undefined : rows.at(-1)?.id;
}

/** Deletes some messages that have ended, with the data that belongs only to them. */
function forgetMessages<M extends MessageFields>(
  database: Database,
  driver: MessageDriver<M>,
  ids: readonly Buffer[],
  oldest: Date,
): Promise<void> {
  const { messages, recipients, attempts, details } = driver.tables;
  return database.transaction(async (db) => {
    const locked = await db.rows<{ id: Buffer; content_id: Buffer | null }>(
      `SELECT id, content_id FROM ${messages.tableName} FORCE INDEX (PRIMARY) WHERE id IN (?) AND ended_at < ? ORDER BY id FOR UPDATE`,
      [ids, oldest],
    );
    if (locked.length === 0) return;
    const gone = locked.map(({ id }) => id);
    const contentIds = await lockContents(
      db,
      driver,
      locked.flatMap(({ content_id: id }) => (id === null ? [] : [id])),
    );
    await driver.beforeRemoval?.(db, gone);
    const parts = [
      ...details,
      ...[attempts, recipients].map(({ tableName }) => ({ table: tableName, key: 'message_id' })),
    ];
    await deleteRows(
      db,
      [...parts, { table: messages.tableName, key: 'id' }].map(({ table, key }) => ({
        sql: `DELETE FROM ${table} WHERE ${key} IN (?)`,
        parameters: [gone],
      })),
    );
    await deleteUnsharedContents(db, driver, contentIds);
  });
}
