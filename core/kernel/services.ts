import type { TenantCaller } from './caller/caller.js';
import type { Credentials } from './caller/resolve.js';
import type { Catalogue } from './catalogue.js';
import type { WorkerServices } from './worker-services.js';
import type { Answer, Call } from './runner/call.js';

export type { WorkerServices } from './worker-services.js';

/** What everything behind the operations is made with: workers, jobs, pages. */
export interface Services extends WorkerServices {
  readonly catalogue: Catalogue;
  /** One call of an operation, through everything a request goes through. */
  call(call: Call): Promise<Answer>;
  /**
   * Who presents these credentials, for surfaces that show what a caller may do. Counts against the key's request limit.
   * @throws unauthenticated, origin_not_allowed, rate_limited
   */
  identify(credentials: Credentials): Promise<TenantCaller>;
}
