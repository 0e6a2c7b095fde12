import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import type { Context } from '#core/kernel/context.js';
import type { Services } from '#core/kernel/services.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { idBytes } from '#core/runtime/id.js';
import { softBounces } from '../tables/soft-bounce.js';

/** This many soft bounces within this many days show that an address does not work. */
const most = 5;
const withinMs = 7 * dayMs;

/**
 * Counts a soft bounce of an address.
 * @param addressKey the address as recipients hold it
 * @returns whether it was the fifth within seven days. Counting then starts again
 */
export async function isFifthSoftBounce(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  environmentId: string,
  addressKey: string,
  at: Date,
): Promise<boolean> {
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
  const times = [...known, at.getTime()].filter((time) => time > latest - withinMs).sort((a, b) => a - b);
  const isFifth = times.length >= most;
  await db.run('UPDATE email_soft_bounce SET times = ? WHERE environment_id = ? AND address_digest = ?', [
    JSON.stringify(isFifth ? [] : times),
    ...key,
  ]);
  return isFifth;
}

/** Deletes the counts of addresses without a soft bounce in the last seven days. */
export const softBounceJobs = ({ database, clock }: Services): RecurringJob[] => [
  {
    name: 'email.forget-soft-bounces',
    every: '1 day',
    isFinal: true,
    run: () =>
      deleteInBatches(database, 'DELETE FROM email_soft_bounce WHERE last_at < ? ORDER BY last_at', [
        shift(clock.now(), -withinMs),
      ]),
  },
];
