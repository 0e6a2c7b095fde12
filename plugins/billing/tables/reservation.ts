import { exactColumn, int64Column, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/**
 * The part of the cap that is reserved for work that is metered in steps, such as a broadcast. It is not usage: nothing
 * is charged for it. Each step turns a part of it into usage; the rest is returned at the end.
 */
export const reservations = defineTable('billing_reservation', {
  /** What the units are for: the id of a broadcast. */
  sourceId: primary(exactColumn(64)),
  meter: primary(exactColumn(40)),
  /** ISO 3166-1 alpha-2; empty if the meter has no countries or they are not known. */
  country: primary(exactColumn(2)),
  accountId: uuidColumn(),
  /** The month whose cap it is part of. */
  period: exactColumn(7),
  /** Units that are not used yet. */
  quantity: int64Column(),
  /** The amount that each unit takes from the cap, in micro-units: the highest price that the unit can have. */
  unitPrice: int64Column(),
  createdAt: timeColumn(),
});

export type ReservationRow = RowOf<typeof reservations>;
