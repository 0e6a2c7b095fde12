import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import { resumeErasures } from '#core/kernel/erasure/deferred.js';
import { keptHours } from '#core/kernel/idempotency/key.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { Services } from '#core/kernel/services.js';
import { deleteExpired } from '#core/runtime/database/partitions/expire.js';
import { sampleTableSizes } from '#core/runtime/database/server/table-sizes.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { bringBack, recomputeWaits, type WaitingRows } from '#core/runtime/work/bring-back.js';

const tooFar =
  'Work was due later than its queue ever waits, for example because the database’s clock had been ahead; it is due now.';

const postponedAhead =
  'Work was postponed while the database’s clock was ahead; its waits are counted from the present time.';

/** The tables whose rows expire by their age, and how many days rows are kept; undefined: without a limit. */
export const expiringTables = ({
  eventRetentionDays,
  auditRetentionDays,
}: Pick<Deployment['settings'], 'eventRetentionDays' | 'auditRetentionDays'>): Record<
  'svc_event' | 'svc_activity',
  number | undefined
> => ({ svc_event: eventRetentionDays, svc_activity: auditRetentionDays });

/**
 * The kernel's recurring jobs: they delete expired rows (stored answers, limit counters, events, audit records), resume
 * erasures that were kept, and correct work whose due time is too far ahead.
 * @param queues the queues that this process works on
 */
export function housekeeping(services: Services, queues: readonly WaitingRows[] = []): RecurringJob[] {
  const { database, clock, deployment, log } = services;
  const forget = (table: keyof ReturnType<typeof expiringTables>) => (): Promise<void> =>
    deleteExpired(database, table, { keptDays: expiringTables(deployment.settings)[table], now: clock.now() });
  return [
    {
      name: 'svc.forget-answers',
      every: '10 minutes',
      isFinal: true,
      run: () =>
        deleteInBatches(database, 'DELETE FROM svc_idempotency WHERE created_at < LEAST(NOW(3), ?) - INTERVAL ? HOUR', [
          clock.now(),
          keptHours,
        ]),
    },
    {
      name: 'svc.forget-limits',
      every: '10 minutes',
      isFinal: true,
      run: () => deleteInBatches(database, 'DELETE FROM svc_limit WHERE resets_at < ?', [clock.now()]),
    },
    {
      name: 'svc.forget-events',
      every: '1 hour',
      isFinal: true,
      run: forget('svc_event'),
    },
    {
      name: 'svc.forget-audit',
      every: '1 hour',
      isFinal: true,
      run: forget('svc_activity'),
    },
    {
      name: 'svc.sample-table-sizes',
      every: '1 hour',
      // A day of a wrong clock would take the place of a real one.
      isFinal: true,
      run: () => sampleTableSizes(database, clock.now()),
    },
    { name: 'svc.resume-erasures', every: '1 hour', run: () => resumeErasures(services) },
    {
      name: 'svc.bring-back-work',
      every: '10 minutes',
      // Only when the time can be trusted, because it decides what is too far ahead.
      isFinal: true,
      async run() {
        for (const queue of queues) {
          const count = await bringBack(database, queue, clock.now());
          if (count > 0) log.warn({ queue: queue.name, count }, tooFar);
        }
      },
    },
    {
      name: 'svc.recompute-waits',
      every: '1 minute',
      async run() {
        if (clock.aheadUntil() === null) return;
        for (const queue of queues) {
          const count = await recomputeWaits(database, queue, clock.now());
          if (count > 0) log.warn({ queue: queue.name, count }, postponedAhead);
        }
      },
    },
  ];
}
