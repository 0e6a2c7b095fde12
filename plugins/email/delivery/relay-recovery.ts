import type { WorkerServices } from '#core/kernel/worker-services.js';
import { minuteMs, shift } from '#core/runtime/clock.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import type { Database } from '#core/runtime/database/session.js';
import { deliveryQueueRef } from '../messages/driver.js';
import { forgetEndedRetries, probeWithRetry, releaseRetries } from '../messages/retries.js';
import { relays } from '../tables/retry.js';

/*
 * Mail that waits because the mail server could not take it does not wait for its own next attempt once the server
 * takes mail again. While the server has accepted nothing for a minute, one waiting message is tried each minute. The
 * first message that it accepts makes all due that were tried since it last accepted one.
 */

/** Without an accepted message for this time, the mail server counts as unusable. */
const outageMs = minuteMs;
/** How often a process records that the mail server accepts mail. Below `outageMs`. */
const recordEveryMs = 30_000;

/** When the mail server has last accepted a message; undefined if it never has. */
async function lastAccepted(database: Database): Promise<Date | undefined> {
  const [row] = await database.rows<{ accepted_at: Date }>(`SELECT accepted_at FROM ${relays.tableName} WHERE id = 1`);
  return row?.accepted_at;
}

const never = new Date(0);

/**
 * Notices that the mail server accepts mail.
 * @returns `accepted`, to be called for every message that it accepts, and `ended`, which waits for what is running
 */
export function relayRecovery({ database, clock, log, wake }: WorkerServices): {
  accepted(): void;
  ended(): Promise<void>;
} {
  let recordedAt: number | undefined;
  let running: Promise<void> = Promise.resolve();

  const record = async (): Promise<void> => {
    const now = clock.now();
    const last = (await lastAccepted(database)) ?? never;
    // Recorded first: of two processes that notice it at once, each may release, which changes nothing twice.
    await database.run(
      `INSERT INTO ${relays.tableName} (id, accepted_at) VALUES (1, ?) ON DUPLICATE KEY UPDATE accepted_at = VALUES(accepted_at)`,
      [now],
    );
    if (now.getTime() - last.getTime() < outageMs) return;
    // After a quiet minute, a server that accepts mail and refuses some of it at the same time was not unusable. What
    // failed just now has its next attempt within a minute anyway.
    const waitingBefore = shift(now, -outageMs);
    const released = await releaseRetries(database, { triedAfter: last, waitingBefore }, now);
    if (released === 0) return;
    log.info({ messages: released }, 'the mail server accepts mail again; what waited for it is sent now');
    wake(deliveryQueueRef.name);
  };

  return {
    accepted() {
      const now = clock.now().getTime();
      if (recordedAt !== undefined && Math.abs(now - recordedAt) < recordEveryMs) return;
      recordedAt = now;
      running = running.then(record).catch((error: unknown) => {
        recordedAt = undefined;
        log.warn({ err: error }, 'what waits for the mail server could not be made due; it is sent later');
      });
    },
    ended: () => running,
  };
}

/** Tries one message each minute while the mail server accepts nothing. */
export const relayJobs = ({
  database,
  clock,
  wake,
}: Pick<WorkerServices, 'database' | 'clock' | 'wake'>): RecurringJob[] => [
  {
    name: 'email.try-mail-server',
    every: '1 minute',
    async run() {
      const now = clock.now();
      const last = (await lastAccepted(database)) ?? never;
      if (now.getTime() - last.getTime() < outageMs) return;
      // A little less than a minute, so that each run of the job finds what the previous one has tried.
      if (await probeWithRetry(database, last, shift(now, -0.75 * minuteMs), now)) wake(deliveryQueueRef.name);
    },
  },
  { name: 'email.forget-ended-retries', every: '1 hour', run: () => forgetEndedRetries(database) },
];
