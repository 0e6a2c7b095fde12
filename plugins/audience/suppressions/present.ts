import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Suppression } from '../resources.js';
import type { SuppressionRow } from '../tables/suppression.js';
import { isPersonalReason } from '../tables/suppression-reasons.js';

/** A suppression as it appears in replies and events. */
export const presentSuppression = (row: SuppressionRow): ValueOf<typeof Suppression> => ({
  id: row.id,
  channel: row.channel,
  email: row.channel === 'email' ? row.address : null,
  phone: row.channel === 'sms' ? row.address : null,
  reason: row.reason,
  note: row.note,
  liftable: row.active === 1 && !isPersonalReason(row.reason),
  createdAt: row.createdAt.toISOString(),
  liftedAt: row.liftedAt?.toISOString() ?? null,
});
