import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { Context } from '#core/kernel/context.js';
import type { Services } from '#core/kernel/services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { RetryTransaction } from '#core/runtime/database/errors.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { postponeWork, type Claim } from '#core/runtime/work/queue.js';
import { optionsOf } from './options.js';
import { rejectionStatement } from './rejections.js';
import { importQueue } from './store.js';
import { workRows, type RowsDone } from './apply-rows.js';
import { imports, type ImportRow } from '../tables/import.js';
import { endImport } from './finish-import.js';
import type { ReadPart } from './read-part.js';

/**
 * Works one part in one transaction: its contacts, consents, events, counts and refusals commit together with its end, under the lease.
 * Killed at any point, each row is done once or not yet.
 * @param part undefined where none is left: the import ends
 * @param readAhead told once COMMIT is on its way: until the database has done it, there is time for the next part
 * @returns whether another part may be worked under the same claim
 */
export async function workPart(
  services: Services,
  claim: Claim,
  part: ReadPart | undefined,
  readAhead: () => void,
): Promise<boolean> {
  crashPoint('import.part.before');
  const goesOn = await services.transaction('Import', async (context) => {
    const row = await heldImport(context, claim);
    if (!row) return false;
    const environment = await findEnvironment(context.db, row.environmentId);
    if (!environment || environment.closedAt) {
      // Closed between claim and part: it waits with the others.
      await postponeWork(context.db, importQueue, claim, services.clock.now());
      return false;
    }
    context.actIn(environment);
    if (!part) {
      await endImport(context, claim, row, 'done');
      return false;
    }
    const { onConflict, dryRun, consents = [] } = optionsOf(row.options);
    const done = await workRows(context, part.rows, {
      environmentId: environment.id,
      onConflict,
      dryRun,
      consents,
      givenAt: row.createdAt,
      fail: context.fail,
    });
    const after = await record(context, claim, row, part, done);
    crashPoint('import.part.written');
    if (after.processed < after.total) {
      setImmediate(readAhead);
      return true;
    }
    await endImport(context, claim, after, 'done');
    return false;
  });
  crashPoint('import.part.after');
  return goesOn;
}

/** The import, while this process holds it. */
async function heldImport({ db }: Context, claim: Claim): Promise<ImportRow | null> {
  const held = await db.rows(`SELECT id FROM ${importQueue.table} WHERE id = ? AND lease_token = ?`, [
    idBytes(claim.id),
    claim.leaseToken,
  ]);
  return held.length === 0 ? null : db.findOne(imports, { id: claim.id });
}

/**
 * Counts the rows of a part, keeps its refusals, and removes it. The part's row is what makes it happen once; the lease, which is locked
 * here and not before, so that it is renewed meanwhile, keeps the parts in their order.
 * @returns the import as it is now
 */
async function record(
  { db, clock }: Context,
  claim: Claim,
  row: ImportRow,
  part: ReadPart,
  { created, updated, rejections }: RowsDone,
): Promise<ImportRow> {
  const after: ImportRow = {
    ...row,
    status: 'running',
    processed: row.processed + part.rows.length,
    created: row.created + created,
    updated: row.updated + updated,
    rejected: row.rejected + rejections.length,
    failures: 0,
    startedAt: row.startedAt ?? clock.now(),
  };
  const id = idBytes(row.id);
  const held = await db.rows(`SELECT id FROM ${importQueue.table} WHERE id = ? AND lease_token = ? FOR UPDATE`, [
    id,
    claim.leaseToken,
  ]);
  if (held.length === 0) throw new RetryTransaction('The lease of an import was lost while a part was worked.');
  const refusals = rejectionStatement(row.id, rejections);
  const { sql, parameters } = joined([
    ...(refusals ? [refusals] : []),
    {
      sql: `UPDATE audience_import SET status = 'running', processed = ?, created = ?, updated = ?, rejected = ?, failures = 0, started_at = ?
            WHERE id = ?`,
      parameters: [after.processed, after.created, after.updated, after.rejected, after.startedAt, id],
    },
    { sql: 'DELETE FROM audience_import_part WHERE import_id = ? AND position = ?', parameters: [id, part.position] },
  ]);
  const { affectedRows } = await db.run(sql, parameters);
  if (affectedRows !== 1) throw new Error('The part of an import was gone before its rows were worked.');
  return after;
}
