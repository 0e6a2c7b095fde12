import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { eventText, type EventRow } from '#core/kernel/events/resource.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { jsonTexts } from '#core/runtime/database/json.js';
import { idList } from '#core/runtime/database/literal.js';
import { laneNamed, type Lane } from '#core/runtime/work/queue.js';
import { idText } from '#core/runtime/id.js';
import { isReadable } from '../events/readable.js';
import { testEvent } from '../webhooks/health.js';

/** A delivery with everything that an attempt needs, as of the time it was read. */
export interface LoadedDelivery {
  id: string;
  environment: Environment;
  endpoint: {
    id: string;
    url: string;
    disabled: boolean;
    sealed: Buffer;
    sealedBefore: Buffer | null;
    secretBeforeUntil: Date | null;
  };
  eventId: string;
  eventType: string;
  /** The lane of the event. Retries are queued in the same lane. */
  lane: Lane;
  chainId: string;
  attempt: number;
  replayOf: string | null;
  scheduledAt: Date;
  /** The caller that last set the endpoint's address or filter may not read the event. It must not be sent there. */
  isWithheld: boolean;
  /** The payload. */
  body: string;
}

interface Row extends EnvironmentColumns, Omit<EventRow, 'id'> {
  delivery_id: Buffer;
  chain_id: Buffer;
  attempt: number;
  replay_of: Buffer | null;
  scheduled_at: Date;
  endpoint_id: Buffer;
  url: Buffer;
  status: Buffer;
  secret_sealed: Buffer;
  secret_before: Buffer | null;
  secret_before_until: Date | null;
  products: unknown;
  event_id: Buffer;
  lane: number;
}

const select = `SELECT d.id AS delivery_id, d.chain_id, d.attempt, d.replay_of, d.scheduled_at, w.id AS endpoint_id, w.url, w.status,
  w.secret_sealed, w.secret_before, w.secret_before_until, w.products, v.id AS event_id, v.type, v.lane, v.activity_id, v.subject_type, v.subject_id, v.data, v.created_at, ${environmentColumns}
  FROM developers_delivery d JOIN developers_webhook w ON w.id = d.endpoint_id JOIN svc_event v ON v.id = d.event_id
  JOIN svc_environment e ON e.id = d.environment_id WHERE d.id IN (?)`;

/** Reads deliveries. @returns one per id, in the same order; null if the delivery or its event no longer exists */
export async function loadDeliveries(
  { database }: Pick<WorkerServices, 'database'>,
  ids: readonly string[],
): Promise<(LoadedDelivery | null)[]> {
  const rows = await database.rows<Row>(select, [idList(ids)]);
  const sharedParts = createSharedParts();
  const found = new Map(
    rows.map((row) => {
      const id = idText(row.delivery_id);
      return [id, { id, ...sharedParts(row), ...ownParts(row) }] as const;
    }),
  );
  return ids.map((id) => found.get(id) ?? null);
}

const ownParts = (row: Row): Omit<LoadedDelivery, 'id' | 'environment' | 'endpoint' | 'body'> => ({
  eventId: idText(row.event_id),
  eventType: row.type.toString(),
  lane: laneNamed(row.lane),
  chainId: idText(row.chain_id),
  attempt: row.attempt,
  replayOf: row.replay_of && idText(row.replay_of),
  scheduledAt: row.scheduled_at,
  isWithheld: isWithheld(row),
});

/** It was queued before the endpoint was changed. A test shows only the endpoint. */
function isWithheld({ type, products }: Row): boolean {
  const name = type.toString();
  return name !== testEvent && !isReadable(name, products === null ? null : jsonTexts(products));
}

/** Builds environment, endpoint and body once for all deliveries that share them. */
function createSharedParts(): (row: Row) => Pick<LoadedDelivery, 'environment' | 'endpoint' | 'body'> {
  const environments = memoizeById(({ environment_id: id }) => id, environmentFrom);
  const endpoints = memoizeById(
    ({ endpoint_id: id }) => id,
    (row) => ({
      id: idText(row.endpoint_id),
      url: row.url.toString(),
      disabled: row.status.toString() === 'disabled',
      sealed: row.secret_sealed,
      sealedBefore: row.secret_before,
      secretBeforeUntil: row.secret_before_until,
    }),
  );
  // The same event as returned by developers.event.get.
  const bodies = memoizeById(
    ({ event_id: id }) => id,
    (row) => eventText({ ...row, id: row.event_id }, environments(row)),
  );
  return (row) => ({ environment: environments(row), endpoint: endpoints(row), body: bodies(row) });
}

/** Builds a value from the first row with an id and returns it for every row with that id. */
function memoizeById<T>(idOf: (row: Row) => Buffer, build: (row: Row) => T): (row: Row) => T {
  const built = new Map<string, T>();
  return (row) => {
    const id = idOf(row).toString('latin1');
    const value = built.get(id) ?? build(row);
    built.set(id, value);
    return value;
  };
}
