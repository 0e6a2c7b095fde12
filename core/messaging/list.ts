import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Environment } from '#core/kernel/caller/caller.js';
import { filterTime } from '#core/kernel/schema/filter-time.js';
import { idRange } from '#core/kernel/schema/id-range.js';
import type { NextIds } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { MessageDriver } from './driver.js';
import type { MessageFields, MessageStatus } from './tables.js';
import { shownWith } from './waiting.js';

/** The filters for lists of messages on every channel. */
export interface MessageFilter {
  readonly status?: MessageStatus | undefined;
  readonly broadcastId?: string | undefined;
  readonly automationId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly template?: string | undefined;
  /** A recipient's address: see messagesTo. */
  readonly to?: string | undefined;
}

type Condition = readonly [sql: string, parameters: ObjectLiteral, index: string];

/** The ids of the messages that may be of a filter's time. */
const idsOf = ({ since, until }: MessageFilter, now: Date): ReturnType<typeof idRange> =>
  idRange(filterTime(since), filterTime(until), now);

/**
 * Limits a query of `message` rows to an environment's messages that pass a filter. One condition decides which index
 * the messages are read along, newest first (see `paged`): the broadcast, otherwise the automation, the template or the
 * status.
 * @param now the deployment's present time, to limit ids by time
 * @returns that index
 */
export function filterMessages<M extends MessageFields & ObjectLiteral>(
  query: SelectQueryBuilder<M>,
  driver: MessageDriver<M>,
  { id, closedAt }: Environment,
  filter: MessageFilter,
  now: Date,
): string {
  const { status, broadcastId, automationId, template } = filter;
  const own: Condition = ['message.environment_id = :environment', { environment: idBytes(id) }, 'environment'];
  const shown = status === undefined ? undefined : shownWith(driver, status, closedAt !== null);
  const indexed: Condition[] = [];
  const others: (readonly [sql: string, parameters: ObjectLiteral])[] = [];
  if (broadcastId !== undefined)
    indexed.push(['message.broadcast_id = :broadcast', { broadcast: idBytes(broadcastId) }, 'broadcast']);
  if (automationId !== undefined)
    indexed.push(['message.automation_id = :automation', { automation: idBytes(automationId) }, 'automation']);
  if (template !== undefined)
    indexed.push([
      `${own[0]} AND message.template = :template`,
      { ...own[1], template: Buffer.from(template) },
      'template',
    ]);
  if (shown?.stored !== undefined)
    indexed.push([
      `${own[0]} AND message.status = :stored`,
      { ...own[1], stored: Buffer.from(shown.stored) },
      'environment_status',
    ]);
  if (shown?.condition !== undefined) others.push([shown.condition, {}]);
  const [[along, values, index] = own, ...rest] = indexed;
  const { from, to: last } = idsOf(filter, now);
  const range = [...(from ? [' AND message.id >= :from'] : []), ...(last ? [' AND message.id <= :last'] : [])].join('');
  query.where(along + range, { ...values, ...(from && { from }), ...(last && { last }) });
  const [since, until] = [filterTime(filter.since), filterTime(filter.until)];
  if (since) others.push(['message.created_at >= :since', { since }]);
  if (until) others.push(['message.created_at < :until', { until }]);
  if (!along.startsWith(own[0])) others.push([own[0], own[1]]);
  for (const [sql, parameters] of [...rest, ...others]) query.andWhere(sql, parameters);
  return index;
}

/** Finds messages along an index of another table that names them, such as that of their recipients or tags. */
const messagesIn =
  (
    db: Pick<ReadSession, 'rows'>,
    { table, where, values }: { table: string; where: string; values: readonly (Buffer | readonly Buffer[])[] },
    { from, to }: ReturnType<typeof idRange>,
  ): NextIds =>
  async (before, count) => {
    const bounds = [
      ...(before ? [{ sql: 'message_id < ?', value: before }] : []),
      ...(from ? [{ sql: 'message_id >= ?', value: from }] : []),
      ...(to ? [{ sql: 'message_id <= ?', value: to }] : []),
    ];
    const rows = await db.rows<{ id: Buffer }>(
      `SELECT message_id AS id FROM ${table} WHERE ${[where, ...bounds.map(({ sql }) => sql)].join(' AND ')}
       ORDER BY message_id DESC LIMIT ?`,
      [...values, ...bounds.map(({ value }) => value), count],
    );
    return rows.map((row) => row.id);
  };

/** The messages to the address that a filter names, for `paged`; undefined if it names none. */
export const messagesTo = <M extends MessageFields>(
  db: Pick<ReadSession, 'rows'>,
  driver: MessageDriver<M>,
  { id }: Environment,
  filter: MessageFilter,
  now: Date,
): NextIds | undefined =>
  filter.to === undefined
    ? undefined
    : messagesIn(
        db,
        {
          table: `${driver.tables.recipients.tableName} FORCE INDEX (address)`,
          where: 'environment_id = ? AND address_key IN (?)',
          values: [idBytes(id), driver.keysOf(filter.to).map((key) => Buffer.from(key))],
        },
        idsOf(filter, now),
      );

/** The messages with a tag, for `paged`. @param table of tags, by environment, tag and message */
export const messagesTagged = (
  db: Pick<ReadSession, 'rows'>,
  table: string,
  { id }: Environment,
  tag: string,
  filter: MessageFilter,
  now: Date,
): NextIds =>
  messagesIn(
    db,
    { table, where: 'environment_id = ? AND tag = ?', values: [idBytes(id), Buffer.from(tag)] },
    idsOf(filter, now),
  );
