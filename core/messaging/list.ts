import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Environment } from '#core/kernel/caller/caller.js';
import { filterTime } from '#core/kernel/schema/filter-time.js';
import { idRange } from '#core/kernel/schema/id-range.js';
import { idBytes } from '#core/runtime/id.js';
import type { Channel } from './channel.js';
import type { MessageFields, MessageStatus } from './tables.js';
import { shownWith } from './waiting.js';

/** What messages of every channel are listed by. */
export interface MessageFilter {
  readonly status?: MessageStatus | undefined;
  readonly broadcastId?: string | undefined;
  readonly automationId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** A recipient's address. */
  readonly to?: string | undefined;
}

/**
 * Limits a query of `message` rows to an environment's messages that pass a filter.
 * @param now the deployment's present time, to limit ids by time
 */
export function filterMessages<M extends MessageFields & ObjectLiteral>(
  query: SelectQueryBuilder<M>,
  channel: Channel<M>,
  { id, closedAt }: Environment,
  { status, broadcastId, automationId, to, ...times }: MessageFilter,
  now: Date,
): void {
  query.where('message.environment_id = :environment', { environment: idBytes(id) });
  if (status !== undefined) query.andWhere(...shownWith(channel, status, closedAt !== null));
  if (broadcastId !== undefined)
    query.andWhere('message.broadcast_id = :broadcast', { broadcast: idBytes(broadcastId) });
  if (automationId !== undefined)
    query.andWhere('message.automation_id = :automation', { automation: idBytes(automationId) });
  const [since, until] = [filterTime(times.since), filterTime(times.until)];
  const ids = idRange(since, until, now);
  if (since && ids.from)
    query.andWhere('message.created_at >= :since AND message.id >= :from', { since, from: ids.from });
  if (until && ids.to) query.andWhere('message.created_at < :until AND message.id <= :last', { until, last: ids.to });
  if (to !== undefined)
    query.andWhere(
      `message.id IN (SELECT r.message_id FROM ${channel.tables.recipients.tableName} r WHERE r.environment_id = :environment AND r.address_key = :to)`,
      { to: Buffer.from(channel.keyOf(to)) },
    );
}
