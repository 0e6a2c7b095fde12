import { EntitySchema } from 'typeorm';
import {
  blobColumn,
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

export const deliveryStatuses = ['queued', 'delivering', 'delivered', 'failed', 'dead'] as const;

export interface DeliveryRow {
  id: string;
  environmentId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  /** The first attempt of this chain of attempts. */
  chainId: string;
  attempt: number;
  /** `delivering` is not stored: it is a queued one that a worker holds. */
  status: 'queued' | 'delivered' | 'failed' | 'dead';
  replayOf: string | null;
  /** What was signed with: the `t` and `v1` of Svc-Signature. */
  signedAt: number | null;
  signature: Buffer | null;
  /** Where it was sent. */
  url: string | null;
  responseStatus: number | null;
  responseHeaders: string | null;
  responseBody: Buffer | null;
  error: string | null;
  durationMs: number | null;
  scheduledAt: Date;
  attemptedAt: Date | null;
  nextAttemptAt: Date | null;
}

/** One row per attempt to deliver one event to one endpoint. */
export const deliveries = new EntitySchema<DeliveryRow>({
  name: 'developers_delivery',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    endpointId: uuidColumn(),
    eventId: uuidColumn(),
    eventType: exactColumn(100),
    chainId: uuidColumn(),
    attempt: tinyintColumn(),
    status: exactColumn(10),
    replayOf: nullable(uuidColumn()),
    signedAt: nullable(intColumn()),
    signature: nullable(fixedBytesColumn(32)),
    url: nullable(exactColumn(2048)),
    responseStatus: nullable(smallintColumn()),
    responseHeaders: nullable(longTextColumn()),
    responseBody: nullable(blobColumn()),
    error: nullable(textColumn(500)),
    durationMs: nullable(intColumn()),
    scheduledAt: timeColumn(),
    attemptedAt: nullable(timeColumn()),
    nextAttemptAt: nullable(timeColumn()),
  },
});
