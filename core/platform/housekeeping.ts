import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import { resumeErasures } from '#core/kernel/erasure/deferred.js';
import { keptHours } from '#core/kernel/idempotency/key.js';
import type { Services } from '#core/kernel/services.js';
import { shift, dayMs, hourMs } from '#core/runtime/clock.js';
import { sampleTableSizes } from '#core/runtime/database/server/table-sizes.js';
import { firstIdAt } from '#core/runtime/id.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { bringBack, type WaitingRows } from '#core/runtime/work/bring-back.js';

const tooFar =
  'Work was due later than its queue ever waits, for example because the database’s clock had been ahead; it is due now.';

/**
 * The kernel's recurring jobs: they delete expired rows (stored answers, limit counters, events, audit records), resume
 * erasures that were kept, and correct work whose due time is too far ahead.
 * @param queues the queues that this process works on
 */
export function housekeeping(services: Services, queues: readonly WaitingRows[] = []): RecurringJob[] {
  const { database, clock, deployment, log } = services;
  const daysAgo = (days: number): Date => shift(clock.now(), -days * dayMs);
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
      // Ids begin with their time, so kept events are not read, except those of one hour: an id is made before its row
      // is dated.
      run: () => {
        const oldest = daysAgo(deployment.settings.eventRetentionDays);
        return deleteInBatches(database, 'DELETE FROM svc_event WHERE id < ? AND created_at < ? ORDER BY id', [
          firstIdAt(shift(oldest, hourMs)),
          oldest,
        ]);
      },
    },
    {
      name: 'svc.forget-audit',
      every: '1 hour',
      isFinal: true,
      async run() {
        const days = deployment.settings.auditRetentionDays;
        if (days === undefined) return;
        const oldest = daysAgo(days);
        // The range of ids keeps newer rows unread, as for events.
        await deleteInBatches(database, 'DELETE FROM svc_activity WHERE id < ? AND created_at < ? ORDER BY id', [
          firstIdAt(shift(oldest, hourMs)),
          oldest,
        ]);
      },
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
  ];
}
