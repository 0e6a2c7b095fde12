import type { Environment } from '#core/kernel/caller/caller.js';
import { shift } from '#core/runtime/clock.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { ProviderNumber, WantedNumber } from '../providers/provider.js';
import { numbers, type NumberRow } from '../tables/number.js';
import { takenUpAfterMs } from './purchase-lease.js';
import { satisfies } from './wanted.js';

/** The most numbers that an environment can have: a broadcast needs only one, and each is paid for every month. */
export const mostNumbers = 100;

/** The environment's numbers, including numbers that are being bought. Call this with the environment locked. */
export async function countNumbers(db: Session, { id }: Environment): Promise<number> {
  const [row] = await db.rows<{ found: number }>(
    "SELECT COUNT(*) AS found FROM sms_number WHERE environment_id = ? AND status IN ('assigning', 'assigned')",
    [idBytes(id)],
  );
  return row?.found ?? 0;
}

/** Numbers of the deployment's pool that fit, in the order in which they are listed. */
export const poolNumbers = (
  { smsNumbers, smsFrom }: { smsNumbers: readonly string[]; smsFrom: string | undefined },
  wanted: WantedNumber,
): ProviderNumber[] =>
  smsNumbers
    .filter((number) => number !== smsFrom)
    .map((number) => ({ number, capabilities: ['sms' as const], providerId: null }))
    .filter((each) => satisfies(wanted, each));

/** The given numbers that no environment of this deployment has, in their order. */
export async function freeNumbers(db: Session, found: readonly ProviderNumber[]): Promise<ProviderNumber[]> {
  if (found.length === 0) return [];
  const held = await db.rows<{ held_number: Buffer }>('SELECT held_number FROM sms_number WHERE held_number IN (?)', [
    found.map(({ number }) => Buffer.from(number)),
  ]);
  const taken = new Set(held.map(({ held_number: number }) => number.toString()));
  return found.filter(({ number }) => !taken.has(number));
}

/** A number that an environment could have. */
export type Candidate = ProviderNumber & Pick<NumberRow, 'origin'>;

/**
 * Stores a row with the first candidate that no other environment takes at the same time.
 * @returns the row; null if all are taken
 */
export async function insertFirst(
  db: Session,
  row: NumberRow,
  candidates: readonly Candidate[],
): Promise<NumberRow | null> {
  for (const { number, capabilities, origin } of candidates) {
    const taken = { ...row, number, heldNumber: number, capabilities: [...capabilities], origin };
    try {
      await db.insert(numbers, taken);
      return taken;
    } catch (error) {
      if (!isDuplicate(error, 'held_number')) throw error;
    }
  }
  return null;
}

/**
 * A matching purchase of the environment whose call died or was answered with a provider failure. Its outcome is found
 * out before another number is bought.
 */
export async function findUnsettled(
  db: Session,
  { id }: Environment,
  wanted: WantedNumber,
  now: Date,
): Promise<NumberRow | null> {
  const rows = await db.rows<object>(
    `SELECT ${numbers.columnList()} FROM sms_number WHERE environment_id = ? AND status = 'assigning'
       AND (refused_at IS NOT NULL OR created_at <= ?) ORDER BY id FOR UPDATE`,
    [idBytes(id), shift(now, -takenUpAfterMs)],
  );
  return rows.map(numbers.decode).find((row) => satisfies(wanted, row)) ?? null;
}
