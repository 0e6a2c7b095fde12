import type { Machinery } from '#core/kernel/machinery.js';
import { crashPoint } from '#core/runtime/fault.js';
import { createBatcher } from '#core/runtime/work/batcher.js';
import { finishWork, postponeWork, type WorkQueue } from '#core/runtime/work/queue.js';
import { deliveryQueue, queueTable } from '../rules/webhook/deliveries.js';
import { attempt } from './attempt.js';
import { loadDeliveries } from './load.js';
import { recordOutcomes, type Outcome } from './record.js';

/** Attempts under way in one process: they wait for other people's servers, most of the time. */
const concurrency = 256;
/** Attempts under way at one endpoint; a single one while it fails, so that hanging endpoints leave the slots to others. */
const perEndpoint = 16;
const most = 200;

/** The delivery of events: reads a delivery as it stands at its attempt, signs, posts, records. Reads and records travel in batches. */
export function delivery(machinery: Machinery): WorkQueue {
  const { database } = machinery;
  const failing = new Set<string>();
  const load = createBatcher((ids: readonly string[]) => loadDeliveries(machinery, ids), most);
  const record = createBatcher((outcomes: readonly Outcome[]) => recordOutcomes(machinery, outcomes), most);
  return {
    name: deliveryQueue,
    table: queueTable,
    concurrency,
    passOver: "SELECT id FROM developers_webhook WHERE status = 'disabled'",
    perParty: (endpointId) => (failing.has(endpointId) ? 1 : perEndpoint),
    async perform(claim) {
      const loaded = await load(claim.id);
      if (!loaded) {
        // Its event is past its retention: there is nothing left to send.
        await finishWork(database, queueTable, claim);
        return;
      }
      if (loaded.endpoint.disabled) {
        // Back to its old place: what waits for the endpoint is sent in order once it is enabled.
        await postponeWork(database, queueTable, claim, loaded.scheduledAt);
        return;
      }
      crashPoint('webhook.request.before');
      const attempted = await attempt(machinery, loaded);
      crashPoint('webhook.response.after');
      if (attempted.error === null) failing.delete(loaded.endpoint.id);
      else failing.add(loaded.endpoint.id);
      await record({ claim, loaded, attempted });
      crashPoint('webhook.record.after');
    },
  };
}
