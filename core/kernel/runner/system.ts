import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { newId } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { SystemCaller } from '../caller/caller.js';
import type { Deployment } from '../deployment.js';
import type { Registry } from '../registry.js';
import type { WorkerServices } from '../worker-services.js';
import { openScope } from './scope.js';

export interface SystemOptions {
  registry: Registry;
  database: ConnectedDatabase;
  clock: Clock;
  vault: Vault;
  deployment: Deployment;
  wake: (queue: string) => void;
}

/** Transactions of the server's own (see WorkerServices.transaction): workers and first starts write events as operations do. */
export function systemTransaction({ database, wake, ...shared }: SystemOptions): WorkerServices['transaction'] {
  return async (label, work) => {
    const activityId = newId();
    const caller: SystemCaller = {
      kind: 'system',
      label,
      request: { requestId: newId(), ip: '', userAgent: null, origin: null },
    };
    const { scope, result } = await database.transact({
      work: async (db) => {
        const opened = openScope({ ...shared, db, caller, activityId, product: undefined });
        let operation: string | undefined;
        const outcome = await work({
          ...opened.context,
          actIn: (environment) => opened.actIn(environment),
          audit(note, name) {
            operation = name;
            opened.note(note);
          },
        });
        return { scope: opened, result: outcome, operation };
      },
      closing: ({ scope: opened, operation }) =>
        opened.closing(operation === undefined ? undefined : { operation, accountWide: true, summary: operation }),
    });
    scope.woken.forEach(wake);
    return result;
  };
}
