import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { InboundRow } from '../tables/inbound.js';
import type { SmsInbound } from './resources.js';

/** A received text in replies and events. */
export const presentInbound = (row: InboundRow): ValueOf<typeof SmsInbound> => ({
  inboundId: row.id,
  numberId: row.numberId,
  from: row.fromNumber,
  to: row.toNumber,
  body: row.body,
  keyword: row.keyword,
  contactId: row.contactId,
  receivedAt: row.receivedAt.toISOString(),
});
