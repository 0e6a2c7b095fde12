import { exactColumn, int64Column, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/**
 * What of the cap is reserved for work that is metered in steps, such as a broadcast. It is no usage: nothing is charged for it. Each step
 * turns a part of it into usage; what is left at the end is returned.
 */
export const reservations = defineTable('billing_reservation', {
  /** What the units are for: the id of a broadcast. */
  sourceId: primary(exactColumn(64)),
  meter: primary(exactColumn(40)),
  /** ISO 3166-1 alpha-2; empty where the meter has no countries or they are not known. */
  country: primary(exactColumn(2)),
  accountId: uuidColumn(),
  /** The month of whose cap it is a part. */
  period: exactColumn(7),
  /** Units that are not used yet. */
  quantity: int64Column(),
  /** What each takes from the cap, in micro-units: the dearest price that it can have. */
  unitPrice: int64Column(),
  createdAt: timeColumn(),
});

export type ReservationRow = RowOf<typeof reservations>;
