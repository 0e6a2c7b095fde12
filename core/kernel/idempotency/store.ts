import { counted } from '#config/counted.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { isDuplicate, isLockRefused } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { literalParameter, textLiteral } from '#core/runtime/database/literal.js';
import type { SqlValue, Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { Cell } from '#core/runtime/secrets/vault.js';
import { commonErrors, refusalOf } from '../errors/common.js';
import { makeError, type SvcError } from '../errors/errors.js';
import { fingerprintFormat, type IdempotencyKey } from './key.js';

interface StoredRow {
  fingerprint: Buffer;
  format: number;
  answer: Buffer | null;
  sealed: number;
  /** Milliseconds of the lease that are left; null or negative without a lease. */
  leased_ms: number | string | null;
}

const cellOf = (key: IdempotencyKey): Cell => ({
  table: 'svc_idempotency',
  column: 'answer',
  row: key.id.toString('hex'),
});

/** For an answer that an erasure has emptied: the call does not run again, and no answer is left to return. */
const erased = (): SvcError =>
  makeError('not_found', {
    status: commonErrors.not_found.status,
    message: 'The stored answer of this Idempotency-Key was erased together with the person it was about.',
    fix: 'Do not repeat this call. If it has to run again, send it with a new Idempotency-Key.',
  });

/**
 * For a call whose `finish` is running, or whose process died in `finish`; other processes cannot tell which. If it
 * died, the answer after the lease is the one that the handler returned.
 */
const finishing = (leftMs: number): SvcError => {
  const { status, message, fix } = commonErrors.idempotency_in_progress;
  const latest = counted(Math.max(1, Math.ceil(leftMs / 1000)), 'second');
  return makeError('idempotency_in_progress', {
    status,
    message,
    fix: `${fix} The answer will be available within ${latest}, even if svc has been killed in the meantime.`,
  });
};

/**
 * Reads the stored answer of a key.
 * @returns the answer byte for byte; undefined if the key is free
 * @throws idempotency_mismatch; idempotency_in_progress while another call's `finish` runs; not_found when the answer
 *   was erased
 */
export async function storedAnswer(db: Session, key: IdempotencyKey): Promise<string | undefined> {
  const [row] = await db.rows<StoredRow>(
    `SELECT fingerprint, format, answer, sealed, TIMESTAMPDIFF(MICROSECOND, NOW(3), lease_until) / 1000 AS leased_ms
     FROM svc_idempotency WHERE id = ? AND created_at > NOW(3) - INTERVAL ? SECOND`,
    [key.id, key.replaySeconds],
  );
  if (!row) return undefined;
  if (!(await isSameCall(row, key)))
    throw refusalOf.idempotency_mismatch({
      key: 'Idempotency-Key',
      before:
        key.replaySeconds < 3_600 ? `in the last ${counted(key.replaySeconds, 'second')}` : 'in the last 24 hours',
      other: 'a new call',
    });
  if (Number(row.leased_ms) > 0) throw finishing(Number(row.leased_ms));
  if (!row.answer) return undefined;
  if (row.answer.length === 0) throw erased();
  return (row.sealed === 1 ? key.vault.open(row.answer, cellOf(key)) : row.answer).toString('utf8');
}

async function isSameCall({ fingerprint, format }: StoredRow, key: IdempotencyKey): Promise<boolean> {
  if (format === fingerprintFormat) return fingerprint.equals(key.fingerprint);
  return (await key.earlierFingerprints()).some((earlier) => earlier.equals(fingerprint));
}

/**
 * Claims the key in the transaction of its call. The claim never waits for another call's COMMIT: on MariaDB the lock
 * time-out is 0; MySQL has no such time-out, so a NOWAIT read comes first (docs/decisions/0001-idempotency-claim.md).
 * @param activityId the call's audit record, which an erasure uses to find the answer
 * @param answer the call's answer, if it is known already: the claim and `storeStatement` in one
 */
export function claimStatement(
  database: ConnectedDatabase,
  key: IdempotencyKey,
  { activityId, answer }: { activityId: string; answer?: string },
): Statement {
  const insert =
    'INSERT INTO svc_idempotency (id, fingerprint, format, activity_id, answer, sealed, created_at) VALUES (?, ?, ?, ?, ?, ?, NOW(3))';
  const stored = answer === undefined ? null : storedValue(key, answer);
  const values = [
    key.id,
    key.fingerprint,
    fingerprintFormat,
    idBytes(activityId),
    stored,
    stored !== null && key.seal ? 1 : 0,
  ];
  // Written so that the index on created_at is not used: through it the DELETE would lock new rows of other calls, and
  // one key would be refused because of another.
  const deleteExpired = 'DELETE FROM svc_idempotency WHERE id = ? AND created_at + INTERVAL ? SECOND <= NOW(3)';
  if (database.flavour === 'mariadb') {
    const withoutWaiting = 'SET STATEMENT innodb_lock_wait_timeout = 0 FOR';
    return {
      sql: `${withoutWaiting} ${deleteExpired};\n${withoutWaiting} ${insert}`,
      parameters: [key.id, key.replaySeconds, ...values],
    };
  }
  return {
    sql: `SELECT id FROM svc_idempotency WHERE id = ? FOR UPDATE NOWAIT;\n${deleteExpired};\n${insert}`,
    parameters: [key.id, key.id, key.replaySeconds, ...values],
  };
}

const storedValue = (key: IdempotencyKey, answer: string): SqlValue =>
  key.seal ? key.vault.seal(answer, cellOf(key)) : literalParameter(textLiteral(answer));

/** Frees the key of a call that was refused after it was claimed, while the row is still the call's own. */
export const freeStatement = (key: IdempotencyKey, activityId: string): Statement => ({
  sql: 'DELETE FROM svc_idempotency WHERE id = ? AND activity_id = ?',
  parameters: [key.id, idBytes(activityId)],
});

/** Another call has claimed the key and committed. */
export class KeyIsTaken extends Error {
  override name = 'KeyIsTaken';
}

/** The error for a failed claim; undefined if the failure is unrelated to the key. */
export function claimRefused(error: unknown): Error | undefined {
  if (isLockRefused(error)) return refusalOf.idempotency_in_progress();
  return isDuplicate(error) ? new KeyIsTaken() : undefined;
}

/**
 * Stores the answer of a call in its transaction, or replaces it after `finish`. The row must still be the call's own:
 * an erasure removes the audit record's id together with the answer, so a late `finish` does not bring personal data
 * back.
 * @param leaseSeconds how long repeats are answered idempotency_in_progress, while `finish` runs
 */
export function storeStatement(
  key: IdempotencyKey,
  answer: string,
  { activityId, leaseSeconds = 0 }: { activityId: string; leaseSeconds?: number },
): Statement {
  const { seal } = key;
  return {
    sql: 'UPDATE svc_idempotency SET answer = ?, sealed = ?, lease_until = IF(? > 0, NOW(3) + INTERVAL ? SECOND, NULL) WHERE id = ? AND activity_id = ?',
    parameters: [storedValue(key, answer), seal ? 1 : 0, leaseSeconds, leaseSeconds, key.id, idBytes(activityId)],
  };
}
