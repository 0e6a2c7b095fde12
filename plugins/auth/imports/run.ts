import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { UserRow } from '../tables/user.js';
import { newRows } from './create-rows.js';
import { findKnown, type Known } from './known.js';
import { planImport } from './plan.js';
import type { ImportRow, Rejection } from './row.js';
import { changedRows, type ChangedRows } from './update-rows.js';
import { writeUsers } from './write.js';

export interface ImportOutcome {
  readonly created: number;
  readonly updated: number;
  /** How many of the updated ones changed. */
  readonly changed: number;
  readonly rejected: readonly Rejection[];
}

type ImportContext = Context<'auth.user.created' | 'auth.user.updated'>;

/** How often users are matched again after another call took some of their identities. */
const maxTries = 5;

/**
 * Imports rows in the call's transaction. Where another call brings some of the same users at the same time, this one waits for it and
 * matches again.
 * @throws unavailable where other calls kept taking identities
 */
export async function importRows(
  context: ImportContext,
  environment: Environment,
  rows: readonly ImportRow[],
): Promise<ImportOutcome> {
  const { db, clock, vault, fail } = context;
  const now = clock.now();
  for (let tries = 0; tries < maxTries; tries += 1) {
    const known = await findKnown(db, environment.id, rows);
    const plan = planImport(rows, known);
    const rejected = [...plan.rejected];
    const created = plan.creates.map((row) => newRows(vault, environment.id, row, now));
    const changed: ChangedRows[] = [];
    for (const { row, user } of plan.updates) {
      const change = changeOf(row, user, known, now);
      if (change && 'code' in change) rejected.push(change);
      else if (change) changed.push(change);
    }
    const updated = rows.length - created.length - rejected.length;
    if (await writeUsers(context, created, changed))
      return { created: created.length, updated, changed: changed.length, rejected };
  }
  throw fail.unavailable({ problem: 'others are bringing the same users' });
}

/** What a row changes of its user: nothing is undefined. */
function changeOf(row: ImportRow, user: UserRow, known: Known, now: Date): ChangedRows | Rejection | undefined {
  try {
    return changedRows(row, user, known, now);
  } catch (error) {
    if (error instanceof SvcError) return { index: row.index, code: error.code, message: error.message };
    throw error;
  }
}
