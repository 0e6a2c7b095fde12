import { closedEnvironments } from '#core/kernel/environment/environment.js';
import { environmentTurns } from '#core/kernel/environment/turns.js';
import type { Services } from '#core/kernel/services.js';
import { isConflict } from '#core/runtime/database/errors.js';
import { shift } from '#core/runtime/clock.js';
import { postponeWork, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import { importQueue } from './store.js';
import { recordFailure } from './finish-import.js';
import { runPart } from './run-part.js';
import { readPart } from './read-part.js';
import { environmentsInWork, turnOf } from './wait-turn.js';

/** How long an import runs before other accounts and environments get a turn. */
const turnMs = 1_000;
const conflictRetryMs = 1_000;

/**
 * The queue of imports. An import runs part by part: a part's rows, events and counts commit together with its removal.
 */
export const importWork = (services: Services): WorkQueue => ({
  ...importQueue,
  concurrency: 3,
  turnsOf: environmentTurns(services.database),
  // A later row may concern the contact of an earlier one, so the imports of an environment run one after the other, in
  // the order of their calls (wait-turn.ts). While one runs, also in another process, the others are not claimed.
  perPartition: () => 1,
  claimAtOnce: 1,
  excludedPartitions: [{ partitions: closedEnvironments }, { partitions: environmentsInWork }],
  async perform(claim) {
    try {
      await runTurn(services, claim);
    } catch (error) {
      await handleFailure(services, claim, error);
    }
  },
});

/** Runs parts until the import ends or its turn is over. The next part is read while the current one commits. */
async function runTurn(services: Services, claim: Claim): Promise<void> {
  const until = performance.now() + turnMs;
  let part = await readPart(services, claim.id, -1);
  for (;;) {
    const { position } = part ?? {};
    let next: ReturnType<typeof readPart> | undefined;
    const readAhead = (): void => {
      next ??= readPart(services, claim.id, position ?? -1);
      next.catch(() => undefined);
    };
    const row = await runPart(services, claim, part, readAhead);
    if (!row) return;
    readAhead();
    part = await next;
    if (performance.now() < until) continue;
    await postponeWork(services.database, importQueue, claim, turnOf(row));
    return;
  }
}

/**
 * A conflict with other writes is retried soon and does not count. Other failures count, including lost connections: a
 * part that exceeds the packet limit breaks the connection every time, and while the database is unavailable nothing
 * can be counted.
 */
async function handleFailure(services: Services, claim: Claim, error: unknown): Promise<void> {
  const { log, database, clock } = services;
  if (!isConflict(error)) {
    log.error({ err: error, importId: claim.id }, 'part of an import failed');
    await recordFailure(services, claim);
    return;
  }
  // The error itself is not logged: it contains the conflicting identifier.
  log.warn({ importId: claim.id }, 'import conflicted with other writes; retrying');
  await postponeWork(database, importQueue, claim, shift(clock.now(), conflictRetryMs)).catch(() => {
    log.warn({ importId: claim.id }, 'rescheduling the import failed; its lease will expire');
  });
}
