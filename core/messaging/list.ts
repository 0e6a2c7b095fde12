import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Environment } from '#core/kernel/caller/caller.js';
import { filterTime } from '#core/kernel/schema/filter-time.js';
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

/** Limits a query of `message` rows to an environment's messages that pass a filter. */
export function filterMessages<M extends MessageFields & ObjectLiteral>(
  query: SelectQueryBuilder<M>,
  channel: Channel<M>,
  { id, closedAt }: Environment,
  { status, broadcastId, automationId, since, until, to }: MessageFilter,
): void {
  query.where('message.environment_id = :environment', { environment: idBytes(id) });
  if (status !== undefined) query.andWhere(...shownWith(channel, status, closedAt !== null));
  if (broadcastId !== undefined)
    query.andWhere('message.broadcast_id = :broadcast', { broadcast: idBytes(broadcastId) });
  if (automationId !== undefined)
    query.andWhere('message.automation_id = :automation', { automation: idBytes(automationId) });
  if (since !== undefined) query.andWhere('message.created_at >= :since', { since: filterTime(since) });
  if (until !== undefined) query.andWhere('message.created_at < :until', { until: filterTime(until) });
  if (to !== undefined)
    query.andWhere(
      `message.id IN (SELECT r.message_id FROM ${channel.tables.recipients.tableName} r WHERE r.environment_id = :environment AND r.address_key = :to)`,
      { to: Buffer.from(channel.keyOf(to)) },
    );
}
