import { owned } from '#core/kernel/environment/owned.js';
import {
  audienceColumns,
  broadcastColumns,
  countColumns,
  type BroadcastTables,
} from '#core/messaging/broadcast-tables.js';
import { bodyTextColumn, nullable, textColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const broadcasts = owned(
  defineTable('email_broadcast', {
    ...broadcastColumns,
    fromAddress: textColumn(254),
    /** The default sender's name, reply address and postal address when the broadcast was sent or scheduled. */
    fromName: nullable(textColumn(120)),
    replyTo: nullable(textColumn(254)),
    legalAddress: nullable(textColumn(500)),
    /** Replaces the template's subject. */
    subject: nullable(bodyTextColumn()),
  }),
  { thing: 'broadcast', lookup: 'email.broadcast.list' },
);

export type BroadcastRow = RowOf<typeof broadcasts>;

export const broadcastCounts = defineTable('email_broadcast_count', countColumns);
export const broadcastAudiences = defineTable('email_broadcast_audience', audienceColumns);

export const broadcastTables: BroadcastTables<BroadcastRow> = {
  broadcasts,
  counts: broadcastCounts,
  audiences: broadcastAudiences,
  audienceQueue: { name: 'email.broadcast-audiences', table: 'email_broadcast_audience_queue' },
  queue: { name: 'email.broadcasts', table: 'email_broadcast_queue' },
};
