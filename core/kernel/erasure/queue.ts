import { shift } from '#core/runtime/clock.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { completeWork, postponeWork, type WorkQueue } from '#core/runtime/work/queue.js';
import type { Services } from '../services.js';
import { deferErasure } from './deferred.js';
import { erase } from './erase.js';
import { loadErasure } from './load.js';
import type { PersonEraser } from '../person.js';
import { erasureQueue } from './request.js';
import { kernelErasers } from './kernel-erasers.js';

/** The pause between two passes. By then, calls that were running when the erasure was requested have ended. */
const againMs = 60_000;

/**
 * The queue of requested erasures, each processed right after the call that requested it. A second pass a minute later
 * finds data that was being written during the first; more passes follow while a worker is still processing data about
 * the person. Then the request is deleted, or kept for products that are disabled.
 * @param erasers of the products; the kernel's own are added
 * @param disabled the disabled products that have data about people
 */
export function erasures(services: Services, erasers: readonly PersonEraser[], disabled: readonly string[]): WorkQueue {
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
        const stillInUse = await erase(services, [...erasers, ...kernelErasers], requested);
        if (stillInUse || looked < shift(requested.requestedAt, againMs)) {
          await postponeWork(database, erasureQueue, claim, shift(looked, againMs));
          return;
        }
      }
      crashPoint('erasure.finish.before');
      await database.transaction(async (db) => {
        if (!(await completeWork(db, erasureQueue, claim))) return;
        if (disabled.length > 0 && requested) await deferErasure(db, claim.id, disabled);
        else await db.run('DELETE FROM svc_erasure WHERE id = ?', [idBytes(claim.id)]);
      });
      crashPoint('erasure.finish.after');
    },
  };
}
