import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '#core/runtime/database/session.js';
import { numbers, type NumberRow } from '../tables/number.js';

/**
 * How long a call leases a purchase. This is longer than `finish` takes, which makes up to three calls to the provider
 * of 15 s each.
 */
export const purchaseLeaseSeconds = 60;

/** When a worker takes over the purchase of a call that died before `finish`. */
export const takenUpAfterMs = 60_000;

const waitMs = 45_000;

/**
 * Waits until a purchase that another call or worker has leased is settled.
 * @returns the number as it is then, or after 45 s
 */
export async function settledNumber(db: Session, id: string): Promise<NumberRow | null> {
  const until = Date.now() + waitMs;
  for (;;) {
    const row = await db.findOne(numbers, { id });
    if (row?.status !== 'assigning' || row.refusedAt !== null || Date.now() > until) return row;
    await pause(100);
  }
}
