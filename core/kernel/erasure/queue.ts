import { shift } from '#core/runtime/clock.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { completeWork, postponeWork, type WorkQueue } from '#core/runtime/work/queue.js';
import type { Services } from '../services.js';
import { erase } from './erase.js';
import { loadErasure } from './load.js';
import type { PersonEraser } from './person.js';
import { erasureQueue } from './request.js';
import { kernelErasers } from './kernel-erasers.js';

/** How long after a look comes the next. Calls that were open when the erasure was asked for have ended by then. */
const againMs = 60_000;

/**
 * Erasures, each within moments of the call that asked for it. It looks once more a minute later, for what was being written
 * meanwhile, and every minute while a worker still has something in hand; then the request itself goes.
 * @param erasers the products' own; the kernel's come with them
 */
export function erasures(services: Services, erasers: readonly PersonEraser[]): WorkQueue {
  const { database, clock } = services;
  return {
    ...erasureQueue,
    concurrency: 2,
    // People of closed accounts are erased too.
    excludedPartitions: [],
    async perform(claim) {
      const requested = await loadErasure(services, claim.id);
      if (requested) {
        const looked = clock.now();
        const inWork = await erase(services, [...erasers, ...kernelErasers], requested);
        if (inWork || looked < shift(requested.requestedAt, againMs)) {
          await postponeWork(database, erasureQueue, claim, shift(looked, againMs));
          return;
        }
      }
      crashPoint('erasure.finish.before');
      await database.transaction(async (db) => {
        if (!(await completeWork(db, erasureQueue, claim))) return;
        await db.run('DELETE FROM svc_erasure WHERE id = ?', [idBytes(claim.id)]);
      });
      crashPoint('erasure.finish.after');
    },
  };
}
