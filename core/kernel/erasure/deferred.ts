import type { Session } from '#core/runtime/database/session.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { lanes } from '#core/runtime/work/queue.js';
import type { Plugin } from '../plugin.js';
import type { WorkerServices } from '../worker-services.js';
import { erasureQueue } from './request.js';

/*
 * A product that is disabled cannot erase anybody, and its tables stay. So an erasure is kept, with its sealed
 * addresses, until every such product has been enabled again and has erased its part.
 */

/** Erasures that one transaction puts back into the queue. */
const batch = 500;

/** The names of the disabled products that store data about people and have tables in this database. */
export async function disabledErasers(
  database: ReadSession,
  known: readonly Plugin[],
  enabled: readonly string[],
): Promise<string[]> {
  const rows = await database.rows<{ owner: string }>('SELECT DISTINCT owner FROM svc_migration');
  const owners = new Set(rows.map(({ owner }) => owner));
  return known
    .filter(({ name, eraser }) => eraser !== undefined && !enabled.includes(name) && owners.has(name))
    .map(({ name }) => name);
}

/** Keeps an erasure for products that are disabled. Runs in the transaction that ends its work. */
export const deferErasure = (db: Session, id: string, products: readonly string[]): Promise<unknown> =>
  db.run(
    `INSERT IGNORE INTO svc_erasure_deferred (product, erasure_id) VALUES ${products.map(() => '(?, ?)').join(', ')}`,
    products.flatMap((product) => [Buffer.from(product), idBytes(id)]),
  );

/**
 * Queues the erasures that were kept for products that are now enabled. An erasure that is already queued is not queued
 * again: if the node that takes it lacks the product, it is kept again. This runs at the start and every hour, for
 * deployments whose nodes have different products.
 */
export async function resumeErasures({
  database,
  clock,
  deployment,
  wake,
}: Pick<WorkerServices, 'database' | 'clock' | 'deployment' | 'wake'>): Promise<void> {
  const products = deployment.products.map((product) => Buffer.from(product));
  for (;;) {
    const resumed = await database.transaction(async (db) => {
      const rows = await db.rows<{ product: Buffer; erasure_id: Buffer }>(
        'SELECT product, erasure_id FROM svc_erasure_deferred WHERE product IN (?) ORDER BY product, erasure_id LIMIT ? FOR UPDATE',
        [products, batch],
      );
      if (rows.length === 0) return 0;
      await db.run(
        `INSERT IGNORE INTO ${erasureQueue.table} (id, partition_id, lane, due_at, attempts, leased)
         SELECT id, environment_id, ?, ?, 0, 0 FROM svc_erasure WHERE id IN (?)`,
        [lanes.transactional, clock.now(), rows.map((row) => row.erasure_id)],
      );
      await db.run('DELETE FROM svc_erasure_deferred WHERE (product, erasure_id) IN (?)', [
        rows.map((row) => [row.product, row.erasure_id]),
      ]);
      return rows.length;
    });
    if (resumed > 0) wake(erasureQueue.name);
    if (resumed < batch) return;
  }
}
