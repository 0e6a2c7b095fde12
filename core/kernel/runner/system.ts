import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { newId } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { SystemCaller } from '../caller/caller.js';
import { pageCaller } from '../caller/page-caller.js';
import type { Deployment } from '../deployment.js';
import type { EventCounts } from '../events/counts.js';
import type { Registry } from '../registry/registry.js';
import type { WorkerServices } from '../worker-services.js';
import { openScope } from './scope.js';

interface SystemOptions {
  registry: Registry;
  database: ConnectedDatabase;
  clock: Clock;
  vault: Vault;
  deployment: Deployment;
  wake: (queue: string) => void;
  eventCounts: EventCounts;
}

const systemCaller = (label: string): SystemCaller => ({
  kind: 'system',
  label,
  request: { requestId: newId(), ip: '', userAgent: null, origin: null },
});

/** The server's own transactions, and those of pages for their visitors (see WorkerServices.transaction). */
export function systemTransaction({
  database,
  wake,
  eventCounts,
  ...shared
}: SystemOptions): WorkerServices['transaction'] {
  return async (actor, work) => {
    const activityId = newId();
    const isOwn = typeof actor === 'string';
    const caller = isOwn ? systemCaller(actor) : pageCaller(actor);
    const { scope, result } = await database.transact({
      work: async (db) => {
        const opened = openScope({ ...shared, db, caller, activityId, product: undefined });
        const done = await work(opened.context);
        await opened.assignPositions();
        return { scope: opened, result: done };
      },
      closing: ({ scope: opened }) => {
        const entry = opened.entry();
        if (!entry) return opened.closing(undefined);
        if (entry.operation === undefined) throw new Error('An audit record of the server’s own needs an operation.');
        return opened.closing({ operation: entry.operation, accountWide: isOwn, summary: entry.summary });
      },
    });
    eventCounts.add(scope.written());
    scope.woken.forEach(wake);
    return result;
  };
}

/** The server's own reads (see WorkerServices.read). */
export function systemRead({ database, ...shared }: SystemOptions): WorkerServices['read'] {
  return (label, work) => {
    const facts = { db: database, caller: systemCaller(label), activityId: '', product: undefined, readOnly: true };
    return work(openScope({ ...shared, ...facts }).context);
  };
}
