import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { lanes, postponeWork, type Claim } from '#core/runtime/work/queue.js';
import type { ImportRow } from '../tables/import.js';
import { importQueue } from './store.js';

/*
 * The imports of an environment run in the order of their ids, which is that of their calls. The queue claims the row
 * that has been due longest, so an import stays due since its call. Only one whose part failed is due later.
 */

/** SQL that selects the environments with an import that a process works on. */
export const environmentsInWork = `SELECT partition_id FROM ${importQueue.table} WHERE leased = 1`;

/** When an import is due if it does not wait for a retry. */
export const turnOf = ({ createdAt }: Pick<ImportRow, 'createdAt'>): Date => createdAt;

/** An unfinished import in the queue. */
interface Waiting {
  id: Buffer;
  leased: number;
  due_at: Date;
}

/** The first unfinished import of the same environment before this one; null if it is this one's turn. */
export async function firstBefore(db: Session, { id, partitionId }: Claim): Promise<Waiting | null> {
  const [first] = await db.rows<Waiting>(
    `SELECT id, leased, due_at FROM ${importQueue.table}
     WHERE leased IN (0, 1) AND lane = ? AND partition_id = ? AND id < ? ORDER BY id LIMIT 1`,
    [lanes.bulk, idBytes(partitionId), idBytes(id)],
  );
  return first ?? null;
}

/** Waiting imports that one statement postpones. */
const postponedAtOnce = 1_000;

/**
 * Postpones an import until the first one of its environment is due. If that one waits for a retry, all others wait
 * with it, so that they are not claimed one by one meanwhile. If a process works on it, none of them is claimed anyway.
 */
export async function waitFor(db: Session, claim: Claim, first: Waiting, turn: Date): Promise<void> {
  const until = first.leased === 1 || first.due_at < turn ? turn : first.due_at;
  if (!(await postponeWork(db, importQueue, claim, until))) return;
  if (until === turn) return;
  await db.run(
    `UPDATE ${importQueue.table} SET due_at = ?
     WHERE leased = 0 AND lane = ? AND partition_id = ? AND due_at < ? AND id > ? LIMIT ?`,
    [until, lanes.bulk, idBytes(claim.partitionId), until, first.id, postponedAtOnce],
  );
}
