import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { HttpClient } from '#core/runtime/http-client/client.js';
import type { Log } from '#core/runtime/log.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Environment } from './caller/caller.js';
import type { AuditEntry, PortContext } from './context.js';
import type { Deployment } from './deployment.js';

/** What a transaction of the server's own has beside a port's context. */
export interface SystemContext extends PortContext {
  /** Events and audit record belong to this environment. */
  actIn(environment: Environment): void;
  /** Writes an audit record with the server as its actor; without it none is written. */
  audit(note: AuditEntry, operation: string): void;
}

/** What works outside a request stand on: no operations, and so nothing that could call itself. */
export interface WorkerServices {
  readonly database: ConnectedDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly vault: Vault;
  readonly deployment: Deployment;
  /** Calls out to addresses that customers name. */
  readonly http: HttpClient;
  /** A transaction of the server's own: rows and events commit together. `label` names what acts, for audit records. */
  transaction<T>(label: string, work: (context: SystemContext) => Promise<T>): Promise<T>;
  wake(queue: string): void;
}
