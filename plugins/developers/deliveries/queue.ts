import { shareOf } from '#core/kernel/deployment.js';
import { turnsThrough } from '#core/kernel/environment/turns.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { isUnavailable } from '#core/runtime/database/errors.js';
import { retryWhileUnreachable } from '#core/runtime/database/server/retry-while-unreachable.js';
import { crashPoint } from '#core/runtime/fault.js';
import { createBatcher } from '#core/runtime/database/batcher.js';
import { completeWork, postponeWork, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import { deliveries, deliveryQueue } from '../tables/delivery.js';
import { webhooks } from '../tables/webhook.js';
import { attempt } from './attempt.js';
import { loadDeliveries, type LoadedDelivery } from './load.js';
import { loadToSign } from './load-to-sign.js';
import { recordOutcomes, type Outcome } from './record.js';
import { longestWaitMs } from './schedule.js';

/*
 * The limits of a machine, which its processes divide among them (Deployment.processes), so that a receiver sees about
 * as many requests at once as from one process: each share is rounded up.
 */

/** The largest number of concurrent attempts. An attempt mostly waits for the receiver. */
const concurrency = 256;
/**
 * The largest number of concurrent attempts per account, so that an account with many hanging endpoints leaves slots to
 * others, in however many environments they are.
 */
const perAccount = 80;
/** And of one of its live environments, or of all its test environments together: it leaves slots to the others. */
const perEnvironment = 64;
/**
 * The last free slots, for accounts with few running attempts, so that several accounts whose endpoints hang cannot
 * take all slots.
 */
const reserved = { slots: 64, perAccount: 4 };
/**
 * The largest number of concurrent attempts per endpoint. A failing endpoint gets one, so that it leaves slots to
 * others.
 */
const perEndpoint = 16;
/** The largest number of deliveries that one statement reads or records. */
const deliveriesPerStatement = 500;
/**
 * How long preloaded data may be used; less than `signWithinMs`. Older data is read again, so that an attempt uses the
 * current secret, URL and status.
 */
const freshMs = 50;

/**
 * The work queue that delivers events to endpoints. Deliveries are read and recorded in batches, and each is signed and
 * sent separately.
 */
export function deliveryWorkQueue(workerServices: WorkerServices): WorkQueue {
  const { database, log, deployment } = workerServices;
  const share = (limit: number): number => shareOf(limit, deployment.processes);
  /** Endpoints whose last attempt in this process failed. */
  const failing = new Set<string>();
  const preloaded = new WeakMap<Claim, { loaded: LoadedDelivery; at: number }>();
  const load = createBatcher((ids: readonly string[]) => loadDeliveries(workerServices, ids), {
    maxItems: deliveriesPerStatement,
    splitOnError: true,
  });
  const record = createBatcher(
    (outcomes: readonly Outcome[]) => retryWhileUnreachable(() => recordOutcomes(workerServices, outcomes)),
    { maxItems: deliveriesPerStatement, splitOnError: true },
  );
  /** Records an outcome, without the response if it cannot be stored: otherwise the event would be sent again. */
  const recordAttempt = async (outcome: Outcome): Promise<void> => {
    try {
      await record(outcome);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.error(
        { err: error, queue: deliveryQueue.name, deliveryId: outcome.loaded.id },
        'failed to record an attempt; recording it without the response',
      );
      await record({ ...outcome, attempted: { ...outcome.attempted, responseHeaders: null, responseBody: null } });
    }
  };

  const current = async (claim: Claim): Promise<LoadedDelivery | null> => {
    const data = preloaded.get(claim);
    return data && performance.now() - data.at < freshMs ? data.loaded : loadToSign(() => load(claim.id));
  };

  return {
    ...deliveryQueue,
    concurrency: share(concurrency),
    excludedPartitions: [{ partitions: "SELECT id FROM developers_webhook WHERE status = 'disabled'" }],
    longestWaitMs,
    triedAt: `SELECT MAX(p.attempted_at) FROM ${deliveries.tableName} d JOIN ${deliveries.tableName} p ON p.chain_id = d.chain_id WHERE d.id = work.id`,
    perPartition: (endpointId) => (failing.has(endpointId) ? 1 : share(perEndpoint)),
    turnsOf: turnsThrough(database, webhooks),
    perOwner: [
      {
        most: share(perAccount),
        reserved: { slots: share(reserved.slots), perOwner: share(reserved.perAccount) },
      },
      { most: share(perEnvironment) },
    ],
    async prepare(claims) {
      const at = performance.now();
      const found = await loadDeliveries(
        workerServices,
        claims.map(({ id }) => id),
      );
      for (const [index, claim] of claims.entries()) {
        const loaded = found[index];
        if (loaded) preloaded.set(claim, { loaded, at });
      }
    },
    async perform(claim, freeSlot) {
      const loaded = await current(claim);
      if (!loaded) {
        // The event has passed its retention, so there is nothing to send.
        await completeWork(database, deliveryQueue, claim);
        return;
      }
      if (loaded.endpoint.disabled) {
        // Keep the original time, so that waiting deliveries are sent in order once the endpoint is enabled.
        await postponeWork(database, deliveryQueue, claim, loaded.scheduledAt);
        return;
      }
      crashPoint('webhook.request.before');
      const attempted = await attempt(workerServices, loaded);
      crashPoint('webhook.response.after');
      if (attempted.error === null) failing.delete(loaded.endpoint.id);
      else failing.add(loaded.endpoint.id);
      freeSlot();
      await recordAttempt({ claim, loaded, attempted });
      crashPoint('webhook.record.after');
    },
  };
}
