import type { Environment } from '#core/kernel/caller/caller.js';
import { paged, type NextIds, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { deliveries, type deliveryStatuses, type DeliveryRow } from '../tables/delivery.js';
import { deliveryQueue } from '../tables/delivery.js';

export interface DeliveryFilter {
  readonly endpointId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly status?: (typeof deliveryStatuses)[number] | undefined;
}

const storedStatuses = ['queued', 'delivered', 'failed', 'dead'] as const;

/**
 * A page of an environment's deliveries, newest first, along the index of the event, the endpoint or the status (see
 * `paged`).
 * @param filter its event and endpoint belong to the environment
 */
export function deliveryPage(
  db: ReadSession,
  environment: Pick<Environment, 'id'>,
  { endpointId, eventId, status }: DeliveryFilter,
  page: PageRequest,
): Promise<{ rows: DeliveryRow[]; next: string | null }> {
  // `delivering` is not stored. It means a queued delivery that is leased.
  const stored = status === 'delivering' ? 'queued' : status;
  const own = { environment: idBytes(environment.id) };
  const query = db.select(deliveries, 'delivery').where('delivery.environment_id = :environment', own);
  const isStored = { status: Buffer.from(stored ?? '') };
  const ofEndpoint = { endpoint: idBytes(endpointId ?? '') };
  if (eventId !== undefined) {
    query.where('delivery.event_id = :event', { event: idBytes(eventId) });
    if (endpointId !== undefined) query.andWhere('delivery.endpoint_id = :endpoint', ofEndpoint);
    if (stored !== undefined) query.andWhere('delivery.status = :status', isStored);
  } else if (endpointId === undefined && stored !== undefined)
    query.where('delivery.environment_id = :environment AND delivery.status = :status', { ...own, ...isStored });
  const leasedRow = `(SELECT q.id FROM ${deliveryQueue.table} q WHERE q.id = delivery.id AND q.leased = 1)`;
  if (status === 'queued') query.andWhere(`NOT EXISTS ${leasedRow}`);
  if (status === 'delivering') query.andWhere(`EXISTS ${leasedRow}`);
  if (endpointId !== undefined && eventId === undefined)
    return paged(query, 'delivery', deliveriesTo(db, endpointId, stored), page);
  const index = stored === undefined ? 'environment' : 'environment_status';
  return paged(query, 'delivery', eventId === undefined ? index : 'event', page);
}

/** The deliveries to an endpoint. Its index orders them by status, so each status is read separately. */
const deliveriesTo =
  (db: ReadSession, endpointId: string, status: (typeof storedStatuses)[number] | undefined): NextIds =>
  async (before, count) => {
    const statuses = status === undefined ? storedStatuses : [status];
    const part = `(SELECT id FROM developers_delivery FORCE INDEX (endpoint)
      WHERE endpoint_id = ? AND status = ? ${before ? 'AND id < ?' : ''} ORDER BY id DESC LIMIT ?)`;
    const rows = await db.rows<{ id: Buffer }>(
      `${statuses.map(() => part).join(' UNION ALL ')} ORDER BY id DESC LIMIT ?`,
      [
        ...statuses.flatMap((each) => [idBytes(endpointId), Buffer.from(each), ...(before ? [before] : []), count]),
        count,
      ],
    );
    return rows.map(({ id }) => id);
  };
