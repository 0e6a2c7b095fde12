import type { coreSettings } from '#config/core.js';
import type { SettingDeclarations, SettingValues } from '#config/declare.js';
import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { Log } from '#core/runtime/log.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Environment } from './caller/caller.js';
import type { AuditNote, PortContext } from './context.js';
import type { Registry } from './registry.js';
import type { Answer, Call } from './runner/call.js';

/** What a transaction of the server's own has beside a port's context. */
export interface SystemContext extends PortContext {
  /** Events and audit record belong to this environment. */
  actIn(environment: Environment): void;
  /** Writes an audit record with the server as its actor; without it none is written. */
  audit(note: AuditNote, operation: string): void;
}

/** What everything behind the operations is made with: workers, jobs, pages. */
export interface Services {
  readonly registry: Registry;
  readonly database: ConnectedDatabase;
  readonly clock: Clock;
  readonly log: Log;
  readonly vault: Vault;
  readonly settings: SettingValues<typeof coreSettings>;
  settingsOf<D extends SettingDeclarations>(declarations: D): SettingValues<D>;
  /** The public address, without a slash at its end. */
  readonly baseUrl: string;
  /** SVC_BASE_URL is not loopback. */
  readonly production: boolean;
  /** One call of an operation, through everything a request goes through. */
  call(call: Call): Promise<Answer>;
  /** A transaction of the server's own: rows and events commit together. `label` names what acts, for audit records. */
  transaction<T>(label: string, work: (context: SystemContext) => Promise<T>): Promise<T>;
  /** What this key has left of its minute. */
  standing(keyId: string): Promise<{ limit: number; remaining: number; resetsAt: Date }>;
  wake(queue: string): void;
}
