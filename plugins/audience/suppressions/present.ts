import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Suppression } from '../resources.js';
import type { SuppressionRow } from '../tables/suppression.js';
import { isPersonsWish } from '../consents/state.js';

/** A suppression as replies and events carry it. */
export const presentSuppression = (row: SuppressionRow): ValueOf<typeof Suppression> => ({
  id: row.id,
  channel: row.channel,
  email: row.channel === 'email' ? row.address : null,
  phone: row.channel === 'sms' ? row.address : null,
  reason: row.reason,
  note: row.note,
  liftable: row.standing === 1 && !isPersonsWish(row.reason),
  createdAt: row.createdAt.toISOString(),
  liftedAt: row.liftedAt?.toISOString() ?? null,
});
