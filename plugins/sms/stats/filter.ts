import { refusalOf } from '#core/kernel/errors/common.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { broadcasts } from '../tables/broadcast.js';

/**
 * Refuses a broadcast that does not exist: a list that is empty because of a typing error would pass for the truth. Automations belong to
 * another product, which is not asked.
 * @throws not_found
 */
export async function requireKnownBroadcast(
  db: ReadSession,
  environmentId: string,
  { broadcastId }: { broadcastId?: string | undefined },
): Promise<void> {
  if (broadcastId !== undefined && !(await db.findOne(broadcasts, { environmentId, id: broadcastId })))
    throw refusalOf.not_found({ ...broadcasts.notFound });
}
