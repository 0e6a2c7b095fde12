import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { HttpClient } from '#core/runtime/http-client/client.js';
import type { Log } from '#core/runtime/log.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Visitor } from './caller/caller.js';
import type { FullContext, ReadContext } from './context.js';
import type { Deployment } from './deployment.js';
import type { ErrorCode } from './errors/errors.js';

/** What workers, jobs and `finish` work with. It contains no operations, so nothing can call itself. */
export interface WorkerServices {
  readonly database: ConnectedDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly vault: Vault;
  readonly deployment: Deployment;
  /** For calls to addresses that customers provide. */
  readonly http: HttpClient;
  /**
   * Runs `work` in the server's own transaction: rows, events and audit record commit together.
   * @param actor the actor, as audit records name it; or the visitor of a page, whose address the audit record, consent
   *   records and the shares of budgets then have
   */
  transaction<T>(actor: string | Visitor, work: (context: FullContext) => Promise<T>): Promise<T>;
  /** Runs `work` without a transaction, to read or to query a port. Any write throws. */
  read<T>(label: string, work: (context: ReadContext<ErrorCode>) => Promise<T>): Promise<T>;
  /** Wakes a work queue of this process. */
  wake(queue: string): void;
}
