import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { isDuplicate, isLockRefused } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { commonErrors, refusalOf } from '../errors/common.js';
import { makeError, type SvcError } from '../errors/errors.js';
import type { IdempotencyKey } from './key.js';

/** How long an answer is kept. */
export const keptHours = 24;

interface StoredRow {
  fingerprint: Buffer;
  answer: Buffer | null;
  sealed: number;
  lease_until: Date | null;
  leased: number;
}

const place = (key: IdempotencyKey): { table: string; column: string; row: string } => ({
  table: 'svc_idempotency',
  column: 'answer',
  row: key.id.toString('hex'),
});

/** An erasure has emptied the answer: the call is not run again, and its reply cannot be given. */
const erased = (): SvcError =>
  makeError('not_found', {
    status: commonErrors.not_found.status,
    message: 'The stored answer of this Idempotency-Key was erased together with the person it was about.',
    fix: 'Do not repeat this call. If it has to run again, send it with a new Idempotency-Key.',
  });

/**
 * The stored answer of a key, byte for byte.
 * @returns undefined when the key is free
 * @throws idempotency_mismatch; idempotency_in_progress while another call's `finish` still runs; not_found when the answer was erased
 */
export async function storedAnswer(db: Session, key: IdempotencyKey): Promise<string | undefined> {
  const [row] = await db.rows<StoredRow>(
    `SELECT fingerprint, answer, sealed, lease_until, lease_until IS NOT NULL AND lease_until > NOW(3) AS leased
     FROM svc_idempotency WHERE id = ? AND created_at > NOW(3) - INTERVAL ? HOUR`,
    [key.id, keptHours],
  );
  if (!row) return undefined;
  if (!row.fingerprint.equals(key.fingerprint)) throw refusalOf.idempotency_mismatch();
  if (row.leased === 1) throw refusalOf.idempotency_in_progress();
  if (!row.answer) return undefined;
  if (row.answer.length === 0) throw erased();
  return (row.sealed === 1 ? key.vault.open(row.answer, place(key)) : row.answer).toString('utf8');
}

/**
 * Claims the key inside the transaction that will answer it, without ever waiting for another claimant's commit: a lock time-out of
 * 0 on MariaDB; on MySQL a NOWAIT read first, which has no such time-out.
 * @param activityId the call's audit record, by which an erasure finds the answer
 */
export function claimStatement(database: ConnectedDatabase, key: IdempotencyKey, activityId: string): Statement {
  const insert =
    'INSERT INTO svc_idempotency (id, fingerprint, activity_id, sealed, created_at) VALUES (?, ?, ?, 0, NOW(3))';
  // The age is computed from the column, so that the index on it is of no use: by it the DELETE would lock other calls' new rows, and
  // refuse one key because of another.
  const forget = 'DELETE FROM svc_idempotency WHERE id = ? AND created_at + INTERVAL ? HOUR <= NOW(3)';
  if (database.flavour === 'mariadb') {
    const unwaiting = 'SET STATEMENT innodb_lock_wait_timeout = 0 FOR';
    return {
      sql: `${unwaiting} ${forget};\n${unwaiting} ${insert}`,
      parameters: [key.id, keptHours, key.id, key.fingerprint, idBytes(activityId)],
    };
  }
  return {
    sql: `SELECT id FROM svc_idempotency WHERE id = ? FOR UPDATE NOWAIT;\n${forget};\n${insert}`,
    parameters: [key.id, key.id, keptHours, key.id, key.fingerprint, idBytes(activityId)],
  };
}

/** Frees the key of a call that was refused after it was claimed, while the row is still the call's own. */
export const freeStatement = (key: IdempotencyKey, activityId: string): Statement => ({
  sql: 'DELETE FROM svc_idempotency WHERE id = ? AND activity_id = ?',
  parameters: [key.id, idBytes(activityId)],
});

/** A claim that another call holds: not yet committed, or committed meanwhile. */
export class KeyIsTaken extends Error {
  override name = 'KeyIsTaken';
}

/** What the claim's failure means; undefined for failures that have nothing to do with the key. */
export function claimRefused(error: unknown): Error | undefined {
  if (isLockRefused(error)) return refusalOf.idempotency_in_progress();
  return isDuplicate(error) ? new KeyIsTaken() : undefined;
}

/**
 * Stores a call's answer with the rows it speaks of; after `finish` the outcome in its place. The row must still be the call's own:
 * an erasure takes its audit record's id away with the answer, so that no late `finish` brings an address back.
 * @param leaseSeconds how long repeats are answered idempotency_in_progress, while `finish` runs
 */
export function storeStatement(
  key: IdempotencyKey,
  answer: string,
  { activityId, leaseSeconds = 0 }: { activityId: string; leaseSeconds?: number },
): Statement {
  const { vault, seal } = key;
  const bytes = seal ? vault.seal(answer, place(key)) : Buffer.from(answer, 'utf8');
  return {
    sql: 'UPDATE svc_idempotency SET answer = ?, sealed = ?, lease_until = IF(? > 0, NOW(3) + INTERVAL ? SECOND, NULL) WHERE id = ? AND activity_id = ?',
    parameters: [bytes, seal ? 1 : 0, leaseSeconds, leaseSeconds, key.id, idBytes(activityId)],
  };
}
