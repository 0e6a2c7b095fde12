import {
  blobColumn,
  choiceColumn,
  exactColumn,
  fixedBytesColumn,
  idColumn,
  intColumn,
  longTextColumn,
  nullable,
  smallintColumn,
  textColumn,
  timeColumn,
  tinyintColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const deliveryStatuses = ['queued', 'delivering', 'delivered', 'failed', 'dead'] as const;

/** The queue of deliveries that are due, and its table. */
export const deliveryQueue = { name: 'developers.webhook.delivery', table: 'developers_webhook_queue' } as const;

/** One row per attempt to deliver one event to one endpoint. */
export const deliveries = defineTable('developers_delivery', {
  id: idColumn(),
  environmentId: uuidColumn(),
  endpointId: uuidColumn(),
  eventId: uuidColumn(),
  eventType: exactColumn(100),
  /** The first attempt of this chain of attempts. */
  chainId: uuidColumn(),
  attempt: tinyintColumn(),
  /** A queued delivery that a worker has leased is shown as `delivering`. */
  status: choiceColumn(['queued', 'delivered', 'failed', 'dead'], 10),
  replayOf: nullable(uuidColumn()),
  /** The values of the signature: the `t` and `v1` of Svc-Signature. */
  signedAt: nullable(intColumn()),
  signature: nullable(fixedBytesColumn(32)),
  /** The second `v1`, made with the secret before, if a rotation let both sign. */
  signatureBefore: nullable(fixedBytesColumn(32)),
  /** The signatures of webhook-signature, with the same two secrets. Null for attempts by older versions. */
  standardSignature: nullable(fixedBytesColumn(32)),
  standardSignatureBefore: nullable(fixedBytesColumn(32)),
  /** The address to which it was sent. */
  url: nullable(exactColumn(2048)),
  responseStatus: nullable(smallintColumn()),
  responseHeaders: nullable(longTextColumn()),
  responseBody: nullable(blobColumn()),
  error: nullable(textColumn(500)),
  durationMs: nullable(intColumn()),
  scheduledAt: timeColumn(),
  attemptedAt: nullable(timeColumn()),
  nextAttemptAt: nullable(timeColumn()),
});

export type DeliveryRow = RowOf<typeof deliveries>;
