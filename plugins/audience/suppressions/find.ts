import { refusalOf } from '#core/kernel/errors/common.js';
import type { Session } from '#core/runtime/database/session.js';
import { suppressions, type SuppressionRow } from '../tables/suppression.js';

/** @throws not_found for another environment's suppression, exactly as for one that does not exist */
export async function findSuppression(db: Session, environmentId: string, id: string): Promise<SuppressionRow> {
  const row = await db.findOne(suppressions, { id, environmentId });
  if (!row) throw refusalOf.not_found({ thing: 'suppression', lookup: 'audience.suppression.list' });
  return row;
}
