import { paged, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { BroadcastPresenter } from './present.js';
import type { BroadcastFields, BroadcastStatus, BroadcastTables } from '../broadcast-tables.js';

/** A page of the environment's broadcasts, newest first. @param status only those with this stored status */
export async function listBroadcasts<B extends BroadcastFields, P>(
  db: ReadSession,
  { broadcasts }: Pick<BroadcastTables<B>, 'broadcasts'>,
  presenter: BroadcastPresenter<B, P>,
  environmentId: string,
  { before, limit, status }: PageRequest & { status?: BroadcastStatus | undefined },
): Promise<{ broadcasts: P[]; nextBefore: string | null }> {
  const own = { environment: idBytes(environmentId) };
  const query = db.select(broadcasts, 'broadcast').where('broadcast.environment_id = :environment', own);
  if (status !== undefined)
    query.where('broadcast.environment_id = :environment AND broadcast.status = :status', {
      ...own,
      status: Buffer.from(status),
    });
  const { rows, next } = await paged(query, 'broadcast', status === undefined ? 'environment' : 'environment_status', {
    before,
    limit,
  });
  return { broadcasts: await presenter.many(db, rows), nextBefore: next };
}
