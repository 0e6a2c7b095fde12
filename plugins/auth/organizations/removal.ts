import { environmentTurns } from '#core/kernel/environment/turns.js';
import type { Services } from '#core/kernel/services.js';
import type { Session } from '#core/runtime/database/session.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes } from '#core/runtime/id.js';
import { completeWork, lockLeases, postponeWork, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';

/**
 * Deleted organizations that had too many members for the transaction that deleted them. Its rows have the
 * organizations' ids.
 */
export const orgRemovalQueue = { name: 'auth.orgRemoval', table: 'auth_org_removal_queue' } as const;

/** The number of rows of each table in one transaction. */
export const removedPerStep = 500;
/** How long the removal of one organization runs before others get a turn. */
const turnMs = 1_000;

/**
 * Removes some of what a deleted organization has left: members together with the organization in their sessions,
 * invitations, and former members.
 * @returns whether more may be left
 */
export async function removeStep(db: Session, organizationId: string): Promise<boolean> {
  const id = idBytes(organizationId);
  const members = await db.rows<{ user_id: Buffer }>(
    'SELECT user_id FROM auth_org_member WHERE organization_id = ? ORDER BY user_id LIMIT ? FOR UPDATE',
    [id, removedPerStep],
  );
  const userIds = members.map((row) => row.user_id);
  if (userIds.length > 0) {
    await db.run('UPDATE auth_session SET organization_id = NULL WHERE user_id IN (?) AND organization_id = ?', [
      userIds,
      id,
    ]);
    await db.run('DELETE FROM auth_org_member WHERE organization_id = ? AND user_id IN (?)', [id, userIds]);
  }
  const counts = [userIds.length];
  for (const table of ['auth_org_invite', 'auth_org_former_member']) {
    const { affectedRows } = await db.run(`DELETE FROM ${table} WHERE organization_id = ? LIMIT ${removedPerStep}`, [
      id,
    ]);
    counts.push(affectedRows);
  }
  return counts.some((count) => count === removedPerStep);
}

/** The queue: each organization is removed step by step, and the last step also deletes its row. */
export const orgRemovals = (services: Services): WorkQueue => ({
  ...orgRemovalQueue,
  concurrency: 3,
  turnsOf: environmentTurns(services.database),
  // Organizations of closed accounts are removed too.
  excludedPartitions: [],
  async perform(claim) {
    const until = performance.now() + turnMs;
    while (await runStep(services, claim)) {
      crashPoint('auth.org.removal.step');
      if (performance.now() < until) continue;
      await postponeWork(services.database, orgRemovalQueue, claim, services.clock.now());
      return;
    }
  },
});

/** @returns whether there is more to do for this worker */
const runStep = ({ database }: Services, claim: Claim): Promise<boolean> =>
  database.transaction(async (db) => {
    if ((await lockLeases(db, orgRemovalQueue, [claim])).size === 0) return false;
    if (await removeStep(db, claim.id)) return true;
    await completeWork(db, orgRemovalQueue, claim);
    return false;
  });
