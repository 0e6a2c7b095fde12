import { setTimeout as pause } from 'node:timers/promises';
import { randomBytes } from '#core/runtime/random-bytes.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { numberQueueRef, numbers, type NumberRow } from '../tables/number.js';

/** The lease of a purchase: what it ended in is recorded only while the queue's row still has the token. */
export interface PurchaseLease {
  readonly id: string;
  readonly leaseToken: Buffer;
}

/** Longer than `finish` can take: three calls to the provider of 15 s each. */
const leaseSeconds = 60;

/** When a worker takes up the purchase of a call that died before `finish`. */
export const takenUpAfterMs = 60_000;

/**
 * Leases a purchase to the call that made it.
 * @returns null where somebody else has it, or it is settled
 */
export async function leasePurchase(db: Session, id: string): Promise<PurchaseLease | null> {
  const leaseToken = randomBytes(16);
  const { affectedRows } = await db.run(
    `UPDATE ${numberQueueRef.table} SET leased = 1, lease_token = ?, lease_until = NOW(3) + INTERVAL ${leaseSeconds} SECOND
     WHERE id = ? AND (leased = 0 OR lease_until < NOW(3))`,
    [leaseToken, idBytes(id)],
  );
  return affectedRows === 1 ? { id, leaseToken } : null;
}

const waitMs = 45_000;

/** Waits until a purchase that somebody else has leased is settled. @returns the number as it is then, or after 45 s */
export async function settledNumber(db: Session, id: string): Promise<NumberRow | null> {
  const until = Date.now() + waitMs;
  for (;;) {
    const row = await db.findOne(numbers, { id });
    if (row?.status !== 'assigning' || row.refusedAt !== null || Date.now() > until) return row;
    await pause(100);
  }
}
