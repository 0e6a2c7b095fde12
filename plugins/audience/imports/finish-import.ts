import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { Context } from '#core/kernel/context.js';
import type { Services } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import { idBytes } from '#core/runtime/id.js';
import { completeWork, postponeWork, type Claim } from '#core/runtime/work/queue.js';
import { optionsOf } from './options.js';
import { presentImport } from './present.js';
import { importQueue } from './store.js';
import { imports, type ImportRow } from '../tables/import.js';

/** How often in a row a part may fail for reasons that are not its rows': then the import has failed. */
export const mostFailures = 8;

/**
 * Ends an import, in the transaction that has come to its end: nothing is left of its rows, which hold personal facts, and the news go
 * out once.
 */
export async function endImport(
  { db, clock, emit }: Context<'audience.contact.imported'>,
  claim: Claim,
  row: ImportRow,
  status: 'done' | 'failed',
): Promise<void> {
  if (!(await completeWork(db, importQueue, claim)))
    throw new Error('An import ended that this process no longer held.');
  const ended: ImportRow = { ...row, status, finishedAt: clock.now() };
  await db.update(imports, { id: row.id }, { status, finishedAt: ended.finishedAt });
  await db.run('DELETE FROM audience_import_part WHERE import_id = ?', [idBytes(row.id)]);
  // A dry run imported nobody, and is no news.
  if (optionsOf(row.options).dryRun) return;
  emit('audience.contact.imported', { subjectId: row.id, data: { import: presentImport(ended) } });
}

/** Counts a failure of this claim's part: it is tried again later, and later each time, until the import has failed. */
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
    if (failures < mostFailures) {
      await postponeWork(db, importQueue, claim, shift(clock.now(), 2 ** failures * 1_000));
      return;
    }
    const environment = await findEnvironment(db, row.environmentId);
    if (!environment) return;
    actIn(environment);
    await endImport(context, claim, row, 'failed');
  });
}
