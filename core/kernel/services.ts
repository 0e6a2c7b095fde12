import type { TenantCaller } from './caller/caller.js';
import type { Credentials } from './caller/authenticator.js';
import type { Catalogue } from './deployment-catalogue.js';
import type { Operation } from './operation.js';
import type { WorkerServices } from './worker-services.js';
import type { Admission, Answer, Call } from './call.js';

export type { WorkerServices } from './worker-services.js';

/** What workers, jobs and pages are created with. */
export interface Services extends WorkerServices {
  readonly catalogue: Catalogue;
  /** One call of an operation, through all the steps of a request. */
  call(call: Call): Promise<Answer>;
  /**
   * The steps of a call that need only its headers, before a surface reads the body. @throws as the runner's `admit`
   */
  admit(operation: Operation, credentials: Credentials): Promise<Admission>;
  /**
   * The caller with these credentials, for surfaces that show what a caller may do. Counts against the key's request
   * limit.
   * @throws unauthenticated, origin_not_allowed, rate_limited
   */
  identify(credentials: Credentials): Promise<TenantCaller>;
}
