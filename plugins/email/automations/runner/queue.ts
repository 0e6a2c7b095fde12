import { closedEnvironments } from '#core/kernel/environment/environment.js';
import { turnsThrough } from '#core/kernel/environment/turns.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { retryWhileUnreachable } from '#core/runtime/database/server/retry-while-unreachable.js';
import { crashPoint } from '#core/runtime/fault.js';
import { createBatcher, createOwnerBatcher } from '#core/runtime/database/batcher.js';
import { completeWork, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import { runQueue } from '../runs/queues.js';
import { automations } from '../../tables/automation.js';
import { maxWaitSeconds } from '../steps/parse.js';
import { commitSteps, type Taken } from './commit.js';
import { giveUp } from './give-up.js';
import { loadRuns, type LoadedRun } from './load.js';
import { planSteps } from './plan.js';
import type { PlannedStep } from './step.js';

/** The most runs that this process works on at the same time: in total, of one account and of one automation. */
const limits = { concurrency: 400, perAccount: 300, perAutomation: 300 };
/** The most steps in one transaction. */
const stepsPerTransaction = 100;

interface LeasedRun {
  readonly claim: Claim;
  readonly loaded: LoadedRun;
}

/**
 * The work queue of automation runs: each takes its due step, and the following steps until it waits or ends. Steps of
 * many runs are planned and committed together: planned by account, committed with those of all accounts.
 */
export function runWork(services: WorkerServices): WorkQueue {
  const { database, log } = services;
  const prefetched = new WeakMap<Claim, LoadedRun>();

  const batches = {
    maxItems: stepsPerTransaction,
    maxRunning: 3,
    // A run whose step cannot be taken does not delay the others.
    splitOnError: true,
  };
  // Planning renders templates: those of one account, if they are slow, delay no other account.
  const plan = createOwnerBatcher(
    (runs: readonly LoadedRun[]) => services.read('Automation', (context) => planSteps(context, runs)),
    batches,
  );
  const commit = createBatcher((steps: readonly PlannedStep[]) => commitTogether(services, steps), batches);
  const takeStep = async ({ claim, loaded }: LeasedRun): Promise<Taken> =>
    commit({ claim, loaded, plan: await plan(loaded.environment.accountId, loaded) });
  const load = async (claim: Claim): Promise<LoadedRun | undefined> =>
    (await loadRuns(database, [claim.id])).get(claim.id);

  return {
    ...runQueue,
    concurrency: limits.concurrency,
    perPartition: () => limits.perAutomation,
    turnsOf: turnsThrough(database, automations),
    perOwner: [{ most: limits.perAccount }],
    excludedPartitions: [
      { partitions: "SELECT id FROM email_automation WHERE status = 'paused'" },
      { partitions: `SELECT id FROM email_automation WHERE environment_id IN (${closedEnvironments})` },
    ],
    longestWaitMs: (maxWaitSeconds + 3_600) * 1_000,
    // The end of a wait.
    plannedTime: 'SELECT r.next_at FROM email_automation_run r WHERE r.id = work.id AND r.entered = 1',
    async prepare(claims) {
      const found = await loadRuns(
        database,
        claims.map(({ id }) => id),
      );
      for (const claim of claims) {
        const loaded = found.get(claim.id);
        if (loaded) prefetched.set(claim, loaded);
      }
    },
    async perform(claim) {
      let loaded = prefetched.get(claim) ?? (await load(claim));
      prefetched.delete(claim);
      let tries = claim.attempts;
      while (loaded?.run.status === 'waiting') {
        const current: LoadedRun = loaded;
        const taken: Taken | undefined = await takeStep({ claim, loaded }).catch((error: unknown) =>
          giveUp(services, { claim, loaded: current, tries }, error).then(() => undefined),
        );
        if (taken === undefined || taken.kind === 'done') return;
        if (taken.kind === 'next') tries = 1;
        loaded = taken.kind === 'next' ? { ...loaded, run: taken.run } : await load(claim);
      }
      if (!loaded)
        log.error({ queue: runQueue.name, runId: claim.id }, 'a queued run does not exist; its queue row is removed');
      await completeWork(database, runQueue, claim);
    },
  };
}

async function commitTogether(services: WorkerServices, steps: readonly PlannedStep[]): Promise<Taken[]> {
  crashPoint('automation.step.before');
  const taken = await retryWhileUnreachable(() =>
    services.transaction('Automation', async (context) => {
      const result = await commitSteps(context, steps);
      crashPoint('automation.step.written');
      return result;
    }),
  );
  crashPoint('automation.step.after');
  return taken;
}
