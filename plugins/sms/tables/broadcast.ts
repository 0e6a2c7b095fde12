import { owned } from '#core/kernel/environment/owned.js';
import {
  audienceColumns,
  broadcastColumns,
  countColumns,
  type BroadcastTables,
} from '#core/messaging/broadcast-tables.js';
import { intColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const broadcasts = owned(
  defineTable('sms_broadcast', {
    ...broadcastColumns,
    /**
     * The highest number of segments that a text of the broadcast can have. Each message is metered with this number
     * until it is rendered.
     */
    reservedSegments: intColumn(),
  }),
  {
    thing: 'broadcast',
    lookup: 'sms.broadcast.list',
  },
);

export type BroadcastRow = RowOf<typeof broadcasts>;

export const broadcastCounts = defineTable('sms_broadcast_count', countColumns);
export const broadcastAudiences = defineTable('sms_broadcast_audience', audienceColumns);

export const broadcastTables: BroadcastTables<BroadcastRow> = {
  broadcasts,
  counts: broadcastCounts,
  audiences: broadcastAudiences,
  audienceQueue: { name: 'sms.broadcast-audiences', table: 'sms_broadcast_audience_queue' },
  queue: { name: 'sms.broadcasts', table: 'sms_broadcast_queue' },
};
