import type { WorkerServices } from '#core/kernel/worker-services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { createBatcher } from '#core/runtime/work/batcher.js';
import { completeWork, postponeWork, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import { deliveryQueue } from './list.js';
import { attempt } from './attempt.js';
import { loadDeliveries, type LoadedDelivery } from './load.js';
import { recordOutcomes, type Outcome } from './record.js';

/** Attempts under way in one process: they wait for other people's servers, most of the time. */
const concurrency = 256;
/** Attempts under way at the endpoints of one environment: a customer whose servers all hang leaves most slots to the others. */
const perEnvironment = 64;
/** Attempts under way at one endpoint; a single one while it fails, so that hanging endpoints leave the slots to others. */
const perEndpoint = 16;
/** Deliveries of one statement, at most. */
const most = 500;
/** What was read ahead longer ago is read again: secret, address and state are those of the attempt. */
const freshMs = 50;
/** Endpoints whose environment is remembered. */
const remembered = 50_000;

/** The delivery of events: reads a delivery as it stands at its attempt, signs, posts, records. Reads and records travel in batches. */
export function delivery(workerServices: WorkerServices): WorkQueue {
  const { database } = workerServices;
  const failing = new Set<string>();
  /** Of an endpoint: it never moves to another. */
  const environments = new Map<string, string>();
  const ahead = new WeakMap<Claim, { loaded: LoadedDelivery; at: number }>();
  const load = createBatcher((ids: readonly string[]) => loadDeliveries(workerServices, ids), { maxItems: most });
  const record = createBatcher((outcomes: readonly Outcome[]) => recordOutcomes(workerServices, outcomes), {
    maxItems: most,
  });

  const current = async (claim: Claim): Promise<LoadedDelivery | null> => {
    const early = ahead.get(claim);
    return early && performance.now() - early.at < freshMs ? early.loaded : load(claim.id);
  };

  return {
    ...deliveryQueue,
    concurrency,
    excludedPartitions: [{ partitions: "SELECT id FROM developers_webhook WHERE status = 'disabled'" }],
    perPartition: (endpointId) => (failing.has(endpointId) ? 1 : perEndpoint),
    group: { most: perEnvironment, of: (endpointId) => environments.get(endpointId) },
    async prepare(claims) {
      const at = performance.now();
      const found = await loadDeliveries(
        workerServices,
        claims.map(({ id }) => id),
      );
      if (environments.size > remembered) environments.clear();
      for (const [index, claim] of claims.entries()) {
        const loaded = found[index];
        if (!loaded) continue;
        ahead.set(claim, { loaded, at });
        environments.set(claim.partitionId, loaded.environment.id);
      }
    },
    async perform(claim, freeSlot) {
      const loaded = await current(claim);
      if (!loaded) {
        // Its event is past its retention: there is nothing left to send.
        await completeWork(database, deliveryQueue, claim);
        return;
      }
      if (loaded.endpoint.disabled) {
        // Back to its old place: what waits for the endpoint is sent in order once it is enabled.
        await postponeWork(database, deliveryQueue, claim, loaded.scheduledAt);
        return;
      }
      crashPoint('webhook.request.before');
      const attempted = await attempt(workerServices, loaded);
      crashPoint('webhook.response.after');
      if (attempted.error === null) failing.delete(loaded.endpoint.id);
      else failing.add(loaded.endpoint.id);
      freeSlot();
      await record({ claim, loaded, attempted });
      crashPoint('webhook.record.after');
    },
  };
}
