import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { Context } from '#core/kernel/context.js';
import type { Services } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import { idBytes } from '#core/runtime/id.js';
import { completeWork, postponeWork, type Claim } from '#core/runtime/work/queue.js';
import { parseOptions } from './options.js';
import { presentImport } from './present.js';
import { importQueue } from './store.js';
import { imports, type ImportRow } from '../tables/import.js';

/** After this many consecutive failures of one part, for reasons other than its rows, the import fails. */
const maxFailures = 8;

/** Finishes an import: deletes its remaining rows, which contain personal data, and emits its event. */
export async function finishImport(
  { db, clock, emit }: Context<'audience.contact.imported'>,
  claim: Claim,
  row: ImportRow,
  status: 'done' | 'failed',
): Promise<void> {
  if (!(await completeWork(db, importQueue, claim)))
    throw new Error('The lease of an import was lost before it finished.');
  const finished: ImportRow = { ...row, status, finishedAt: clock.now() };
  await db.update(imports, { id: row.id }, { status, finishedAt: finished.finishedAt });
  await db.run('DELETE FROM audience_import_part WHERE import_id = ?', [idBytes(row.id)]);
  // A dry run imports nothing and emits no event.
  if (parseOptions(row.options).dryRun) return;
  emit('audience.contact.imported', { subjectId: row.id, data: { import: presentImport(finished) } });
}

/** Counts a failure of the current part and retries it later, with exponential back-off, until the import fails. */
export async function recordFailure(services: Services, claim: Claim): Promise<void> {
  await services.transaction('Import', async (context) => {
    const { db, clock, actIn } = context;
    const found = await db.rows(`SELECT id FROM ${importQueue.table} WHERE id = ? AND lease_token = ? FOR UPDATE`, [
      idBytes(claim.id),
      claim.leaseToken,
    ]);
    const row = found.length === 0 ? null : await db.findOne(imports, { id: claim.id });
    if (!row) return;
    const failures = row.failures + 1;
    await db.update(imports, { id: row.id }, { failures });
    if (failures < maxFailures) {
      await postponeWork(db, importQueue, claim, shift(clock.now(), 2 ** failures * 1_000));
      return;
    }
    const environment = await findEnvironment(db, row.environmentId);
    if (!environment) return;
    actIn(environment, row.activityId);
    await finishImport(context, claim, row, 'failed');
  });
}
