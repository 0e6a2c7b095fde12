import { erasedSince } from '#core/kernel/erasure/erased.js';
import type { ErasureContext, ErasureStep, RequestedErasure } from '#core/kernel/person.js';
import { isRecord } from '#core/runtime/json.js';
import { shift } from '#core/runtime/clock.js';
import { idBytes } from '#core/runtime/id.js';
import { lanes } from '#core/runtime/work/queue.js';
import { erasedRow } from './row.js';
import { importQueue } from './store.js';

/** A part is searched for all erased people at once, at most this often, however many people are erased meanwhile. */
const againMs = 60_000;

/**
 * Removes the rows about erased people from one waiting part of an import in the person's environment. A row that stays
 * in the list as `erasedRow` is counted and rejected like any other. Rows that are being imported at this moment are
 * refused by planUpserts.
 */
export async function screenNextPart(
  { environment, requestedAt }: RequestedErasure,
  { db, vault, clock }: ErasureContext,
): Promise<ErasureStep> {
  const now = clock.now();
  // What another erasure committed while a part was searched is found by its second pass, a minute later.
  const unscreened = shift(requestedAt, againMs);
  const [found] = await db.rows<{ import_id: Buffer; position: number; screened_at: Date | null; created_at: Date }>(
    `SELECT p.import_id, p.position, p.screened_at, i.created_at
     FROM ${importQueue.table} q JOIN audience_import i ON i.id = q.id JOIN audience_import_part p ON p.import_id = q.id
     WHERE q.leased IN (0, 1) AND q.lane = ? AND q.partition_id = ? AND i.created_at <= ?
       AND (p.screened_at IS NULL OR p.screened_at < ?)
     ORDER BY p.screened_at IS NOT NULL, p.screened_at LIMIT 1`,
    [lanes.bulk, idBytes(environment.id), requestedAt, unscreened],
  );
  if (!found) return { done: 0 };
  if (found.screened_at && found.screened_at > shift(now, -againMs)) return { done: 0, stillInUse: true };
  const key = [found.import_id, found.position];
  const [part] = await db.rows<{ contacts: string }>(
    'SELECT contacts FROM audience_import_part WHERE import_id = ? AND position = ? FOR UPDATE',
    key,
  );
  const rows: unknown = part && JSON.parse(part.contacts);
  if (!Array.isArray(rows)) return { done: 1 };
  const names = rows.map((row: unknown) => ({
    email: textAt(row, 'email'),
    phone: textAt(row, 'phone'),
    externalId: textAt(row, 'externalId'),
  }));
  const input = { environmentId: environment.id, product: 'audience', acceptedAt: found.created_at };
  const erased = await erasedSince({ db, vault }, input, names);
  const kept = erased.includes(true)
    ? JSON.stringify(rows.map((row: unknown, index) => (erased[index] === true ? erasedRow : row)))
    : null;
  await db.run(
    'UPDATE audience_import_part SET contacts = COALESCE(?, contacts), screened_at = ? WHERE import_id = ? AND position = ?',
    [kept, now, ...key],
  );
  return { done: 1 };
}

/** A name in a row that nobody has checked yet. */
function textAt(row: unknown, field: string): string | null {
  const value = isRecord(row) ? row[field] : null;
  return typeof value === 'string' && value.length <= 1_000 ? value : null;
}
