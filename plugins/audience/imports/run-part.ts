import { turnsOf } from '#core/kernel/caller/share.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { Context } from '#core/kernel/context.js';
import type { Services } from '#core/kernel/services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { RetryTransaction } from '#core/runtime/database/errors.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { postponeWork, type Claim } from '#core/runtime/work/queue.js';
import { parseOptions } from './options.js';
import { rejectionStatement } from './rejections.js';
import { importQueue } from './store.js';
import { importRows, type RowsResult } from './import-rows.js';
import { imports, type ImportRow } from '../tables/import.js';
import { finishImport } from './finish-import.js';
import type { CheckedPart } from './read-part.js';
import { firstBefore, turnOf, waitFor } from './wait-turn.js';

/**
 * Imports one part in one transaction: its contacts, consents, events, counts and rejections commit together with its
 * removal, under the lease. After a crash at any point, each row was imported once or not yet.
 * @param part undefined if none is left: the import is finished
 * @param readAhead called once COMMIT has been sent, to read the next part in the meantime
 * @returns the import, if its next part may run under the same claim
 */
export async function runPart(
  services: Services,
  claim: Claim,
  part: CheckedPart | undefined,
  readAhead: () => void,
): Promise<ImportRow | null> {
  crashPoint('import.part.before');
  const unfinished = await services.transaction('Import', async (context) => {
    const row = await leasedImport(context, claim);
    if (!row) return null;
    const environment = await findEnvironment(context.db, row.environmentId);
    if (!environment || environment.closedAt) {
      // The account was closed after the claim: the import waits until it is reopened.
      await postponeWork(context.db, importQueue, claim, turnOf(row));
      return null;
    }
    const first = await firstBefore(context.db, claim);
    if (first) {
      await waitFor(context.db, claim, first, turnOf(row));
      return null;
    }
    context.actIn(environment, row.activityId);
    if (!part) {
      await finishImport(context, claim, row, 'done');
      return null;
    }
    const { onConflict, dryRun, consents = [] } = parseOptions(row.options);
    const result = await importRows(context, part.rows, {
      environmentId: environment.id,
      onConflict,
      dryRun,
      consents,
      acceptedAt: row.createdAt,
      fail: context.fail,
      holder: turnsOf(environment),
    });
    const after = await recordPart(context, claim, row, part, result);
    crashPoint('import.part.written');
    if (after.processed < after.total) {
      setImmediate(readAhead);
      return after;
    }
    await finishImport(context, claim, after, 'done');
    return null;
  });
  crashPoint('import.part.after');
  return unfinished;
}

/** The import, or null if the lease was lost. */
async function leasedImport({ db }: Context, claim: Claim): Promise<ImportRow | null> {
  const leased = await db.rows(`SELECT id FROM ${importQueue.table} WHERE id = ? AND lease_token = ?`, [
    idBytes(claim.id),
    claim.leaseToken,
  ]);
  return leased.length === 0 ? null : db.findOne(imports, { id: claim.id });
}

/**
 * Counts the rows of a part, stores its rejections and deletes it. The deleted row guarantees that a part is imported
 * once; the lease guarantees the order of parts. The lease is locked here and not earlier, so that it can be renewed
 * while the part runs.
 * @returns the import after the part
 */
async function recordPart(
  { db, clock }: Context,
  claim: Claim,
  row: ImportRow,
  part: CheckedPart,
  { created, updated, rejections }: RowsResult,
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
  const leased = await db.rows(`SELECT id FROM ${importQueue.table} WHERE id = ? AND lease_token = ? FOR UPDATE`, [
    id,
    claim.leaseToken,
  ]);
  if (leased.length === 0) throw new RetryTransaction('The lease of an import was lost while a part ran.');
  const rejected = rejectionStatement(row.id, rejections);
  const { affectedRows } = await db.run(
    joined([
      ...(rejected ? [rejected] : []),
      {
        sql: `UPDATE audience_import SET status = 'running', processed = ?, created = ?, updated = ?, rejected = ?, failures = 0, started_at = ?
            WHERE id = ?`,
        parameters: [after.processed, after.created, after.updated, after.rejected, after.startedAt, id],
      },
      { sql: 'DELETE FROM audience_import_part WHERE import_id = ? AND position = ?', parameters: [id, part.position] },
    ]),
  );
  if (affectedRows !== 1) throw new Error('A part of an import was deleted while it ran.');
  return after;
}
