import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { capOf, fullUser, fullUsers } from '../identities/cap.js';
import { requireClaimsFit } from '../settings/claim-size.js';
import { loadSettings } from '../settings/load.js';
import { newRows, type NewRows } from './create-rows.js';
import { findExisting } from './existing.js';
import { planImport } from './plan.js';
import type { ImportRow, Rejection } from './row.js';
import { changedRows, type ChangedRows } from './update-rows.js';
import { writeUsers } from './write.js';

export interface ImportOutcome {
  readonly created: number;
  readonly updated: number;
  /** How many of the updated users changed. */
  readonly changed: number;
  readonly rejected: readonly Rejection[];
}

type ImportContext = Context<'auth.user.created' | 'auth.user.updated'>;

/** How many times users are matched again after another call took some of their identities. */
const maxTries = 5;

/**
 * Imports rows in the call's transaction. If another call imports some of the same users at the same time, this one
 * waits for it and matches again.
 * @throws unavailable if other calls kept taking identities
 */
export async function importRows(
  context: ImportContext,
  environment: Environment,
  rows: readonly ImportRow[],
): Promise<ImportOutcome> {
  const { db, clock, vault, fail } = context;
  const now = clock.now();
  const { claims } = await loadSettings(db, environment.id);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const existing = await findExisting(db, environment.id, rows);
    const plan = planImport(rows, existing);
    const rejected = [...plan.rejected];
    const created: NewRows[] = [];
    for (const row of plan.creates) {
      const made = orRejection(row, () => {
        const rows = newRows(vault, environment.id, row, now);
        requireClaimsFit(claims, '{}', rows.user.metadata);
        return rows;
      });
      if ('code' in made) rejected.push(made);
      else created.push(made);
    }
    const changed: Change[] = [];
    for (const { row, user } of plan.updates) {
      const change = orRejection(row, () => {
        const rows = changedRows(row, user, existing, now);
        if (rows) requireClaimsFit(claims, user.metadata, rows.after.metadata);
        return rows ?? null;
      });
      if (change && 'code' in change) rejected.push(change);
      else if (change) changed.push({ ...change, index: row.index });
    }
    const within = await withinCaps(db, changed);
    rejected.push(...within.rejected);
    const updated = rows.length - created.length - rejected.length;
    if (await writeUsers(context, created, within.changed))
      return { created: created.length, updated, changed: within.changed.length, rejected };
  }
  throw fail.unavailable({ problem: 'other calls are importing the same users' });
}

type Change = ChangedRows & { readonly index: number };

/**
 * Rejects the rows that would give a user more addresses or numbers than allowed. The users are locked, so none can be
 * added in the meantime.
 */
async function withinCaps(
  db: ReadSession,
  changed: readonly Change[],
): Promise<{ changed: Change[]; rejected: Rejection[] }> {
  const growing = changed.filter(({ added }) => added.length > 0);
  const full = await fullUsers(
    db,
    growing.map(({ after }) => after.id),
  );
  const surplus = ({ after, added }: Change) => added.find(({ kind }) => full.has(fullUser(after.id, kind)));
  return {
    changed: changed.filter((change) => !surplus(change)),
    rejected: growing.flatMap((change) => {
      const refused = surplus(change);
      if (!refused) return [];
      const { code, message } = refusalOf.limit_reached(capOf(refused.kind));
      return [{ index: change.index, code, message }];
    }),
  };
}

/** The result of `make` for a row, or the row's rejection if it is refused. */
function orRejection<T>(row: ImportRow, make: () => T): T | Rejection {
  try {
    return make();
  } catch (error) {
    if (error instanceof SvcError) return { index: row.index, code: error.code, message: error.message };
    throw error;
  }
}
