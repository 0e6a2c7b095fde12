import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { Replicas } from '#core/runtime/database/replica/replicas.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { BearerResolver } from './bearer-resolver.js';
import type { Authenticator } from '../caller/authenticator.js';
import type { Deployment } from '../deployment.js';
import type { TenantCaller } from '../caller/caller.js';
import type { EventCounts } from '../events/counts.js';
import type { LongReads } from '../limits/long-reads.js';
import type { Registry } from '../registry/registry.js';
import type { WorkerServices } from '../worker-services.js';

export interface RunnerOptions {
  registry: Registry;
  database: ConnectedDatabase;
  /** The replicas of SVC_DATABASE_READ_URL; undefined if there are none. */
  replicas: Pick<Replicas, 'openReader'> | undefined;
  clock: Clock;
  vault: Vault;
  deployment: Deployment;
  /** Counts a request of a caller. @throws rate_limited */
  countRequest(caller: TenantCaller): Promise<void>;
  lookup: Authenticator;
  resolveBearer: BearerResolver;
  longReads: LongReads;
  /** For what writes read before they begin (`prepare`). */
  longWrites: LongReads;
  wake: (queue: string) => void;
  eventCounts: EventCounts;
  /** For `prepare` and `finish`, which make network calls. */
  services: WorkerServices;
  /**
   * Tests: a reply that does not match its schema, or has more fields, fails the call. In production, extra fields are
   * removed.
   */
  strictReplies: boolean;
}
