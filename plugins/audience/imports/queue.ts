import { closedEnvironments } from '#core/kernel/environment/environment.js';
import type { Services } from '#core/kernel/services.js';
import { isConflict } from '#core/runtime/database/errors.js';
import { shift } from '#core/runtime/clock.js';
import { postponeWork, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import { importQueue } from './store.js';
import { recordFailure } from './finish-import.js';
import { workPart } from './run-part.js';
import { readPart } from './read-part.js';

/** How long one environment's import keeps its turn: then the others get theirs, and this one the next. */
const turnMs = 1_000;
const secondMs = 1_000;

/** Works through imports, part by part: a part's rows, events and counts commit together with its end. */
export const importing = (services: Services): WorkQueue => ({
  ...importQueue,
  concurrency: 2,
  // A later row of an import may speak of an earlier one's contact: they are worked in their order.
  perPartition: () => 1,
  excludedPartitions: [{ partitions: closedEnvironments }],
  async perform(claim) {
    try {
      await takeTurn(services, claim);
    } catch (error) {
      await giveUpTurn(services, claim, error);
    }
  },
});

async function takeTurn(services: Services, claim: Claim): Promise<void> {
  const until = performance.now() + turnMs;
  let part = await readPart(services, claim.id, -1);
  for (;;) {
    const { position } = part ?? {};
    let following: ReturnType<typeof readPart> | undefined;
    const readAhead = (): void => {
      following ??= readPart(services, claim.id, position ?? -1);
      following.catch(() => undefined);
    };
    if (!(await workPart(services, claim, part, readAhead))) return;
    readAhead();
    part = await following;
    if (performance.now() < until) continue;
    await postponeWork(services.database, importQueue, claim, services.clock.now());
    return;
  }
}

/**
 * Somebody in the way says nothing about the import: its turn comes again soon. Else the failure counts. A lost connection counts too: a
 * part that is more than the database takes in one statement breaks it every time, and while the database is away nothing is counted.
 */
async function giveUpTurn(services: Services, claim: Claim, error: unknown): Promise<void> {
  const { log, database, clock } = services;
  if (!isConflict(error)) {
    log.error({ err: error, importId: claim.id }, 'a part of an import could not be worked');
    await recordFailure(services, claim);
    return;
  }
  // Not the error itself: a conflict's names the identifier that was taken.
  log.warn({ importId: claim.id }, 'an import met somebody else’s writes and goes on');
  await postponeWork(database, importQueue, claim, shift(clock.now(), secondMs)).catch(() => {
    log.warn({ importId: claim.id }, 'postponing failed; the lease runs out by itself');
  });
}
