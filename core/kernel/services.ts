import type { Catalogue } from './catalogue.js';
import type { Machinery } from './worker-services.js';
import type { Answer, Call } from './runner/call.js';

export type { Machinery, SystemContext } from './worker-services.js';

/** What everything behind the operations is made with: workers, jobs, pages. */
export interface Services extends Machinery {
  readonly catalogue: Catalogue;
  /** One call of an operation, through everything a request goes through. */
  call(call: Call): Promise<Answer>;
}
