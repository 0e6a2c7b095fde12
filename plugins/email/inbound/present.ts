import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { InboundRow } from '../tables/inbound.js';
import type { Inbound } from './resources.js';

/** A received message in replies and events. */
export const presentInbound = (row: InboundRow): ValueOf<typeof Inbound> => ({
  inboundId: row.id,
  envelopeFrom: row.envelopeFrom,
  envelopeTo: row.envelopeTo,
  from: row.fromAddress,
  to: row.toAddresses,
  subject: row.subject,
  messageId: row.messageId,
  inReplyTo: row.inReplyTo,
  automatic: row.automatic,
  spam: { spf: row.spf, dkim: row.dkim, dmarc: row.dmarc },
  bytes: row.bytes,
  attachmentCount: row.attachmentCount,
  receivedAt: row.receivedAt.toISOString(),
});
