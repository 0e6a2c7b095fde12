import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import type { Context } from '#core/kernel/context.js';
import type { Services } from '#core/kernel/services.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { idBytes } from '#core/runtime/id.js';
import { softBounces } from '../tables/soft-bounce.js';

/** This many soft bounces within this time show that an address does not work. */
const [most, withinMs] = [5, 7 * dayMs];
/**
 * So do this many within this time if they are spread over a month at least: weekly mail never reaches the other one.
 */
const [mostSpread, spreadWithinMs, spreadOverMs] = [8, 180 * dayMs, 30 * dayMs];
/** The times that are kept of an address: more than either rule needs. */
const mostTimes = 20;

/** Which number of soft bounces an address has reached, in words. */
export type SoftBounceLimit = 'Five soft bounces within seven days' | 'Eight soft bounces within six months';

/**
 * Counts a soft bounce of an address.
 * @param addressKey the address as recipients hold it
 * @returns the limit that is reached with it; null if none is. Counting then starts again
 */
export async function countSoftBounce(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  environmentId: string,
  addressKey: string,
  at: Date,
): Promise<SoftBounceLimit | null> {
  const key = [
    idBytes(environmentId),
    vault.digest(`${environmentId} ${addressKey}`, { table: 'email_soft_bounce', column: 'address_digest' }),
  ];
  // Inserted before it is read: each of several concurrent bounces of one address waits for the previous one.
  await db.run(
    `INSERT INTO email_soft_bounce (environment_id, address_digest, times, last_at) VALUES (?, ?, '[]', ?)
     ON DUPLICATE KEY UPDATE last_at = GREATEST(last_at, VALUES(last_at))`,
    [...key, at],
  );
  const [row] = await db.rows<object>(
    `SELECT ${softBounces.columnList()} FROM email_soft_bounce WHERE environment_id = ? AND address_digest = ? FOR UPDATE`,
    key,
  );
  // Leaves out times in the future: they were recorded while the clock was ahead, and would hide every later one.
  const known = row ? softBounces.decode(row).times.filter((time) => time <= at.getTime() + withinMs) : [];
  const latest = Math.max(at.getTime(), ...known);
  const times = [...known, at.getTime()]
    .filter((time) => time > latest - spreadWithinMs)
    .sort((a, b) => a - b)
    .slice(-mostTimes);
  const limit = limitOf(times, latest);
  await db.run('UPDATE email_soft_bounce SET times = ? WHERE environment_id = ? AND address_digest = ?', [
    JSON.stringify(limit === null ? times : []),
    ...key,
  ]);
  return limit;
}

function limitOf(times: readonly number[], latest: number): SoftBounceLimit | null {
  if (times.filter((time) => time > latest - withinMs).length >= most) return 'Five soft bounces within seven days';
  const [first = latest] = times;
  const isSpread = times.length >= mostSpread && latest - first >= spreadOverMs;
  return isSpread ? 'Eight soft bounces within six months' : null;
}

/** Deletes the counts of addresses without a soft bounce in the last six months. */
export const softBounceJobs = ({ database, clock }: Services): RecurringJob[] => [
  {
    name: 'email.forget-soft-bounces',
    every: '1 day',
    isFinal: true,
    run: () =>
      deleteInBatches(database, 'DELETE FROM email_soft_bounce WHERE last_at < ? ORDER BY last_at', [
        shift(clock.now(), -spreadWithinMs),
      ]),
  },
];
