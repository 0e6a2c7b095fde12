import type { Caller, Environment, RequestFacts } from './caller/caller.js';
import type { NamedLimit } from './limits/named-limit.js';
import type { Operation } from './operation.js';

/** A caller that `admit` has allowed to call one operation. */
export interface Admission {
  readonly caller: Caller;
  /** When (performance.now): an old admission is checked again, because the key may have been revoked since. */
  readonly at: number;
}

/** A call as a surface hands it to the runner. */
export interface Call {
  operation: Operation;
  input: unknown;
  /** The bearer token, without the word Bearer; empty if the request presents something else. */
  bearer: string | undefined;
  idempotencyKey: string | undefined;
  /** The header Svc-Environment. */
  environmentId: string | undefined;
  request: RequestFacts;
  /** How old the answer of a read may be, in seconds. Without it, the operation decides: see Definition.mayBeOld. */
  maxAgeSeconds?: number | undefined;
  /** Set by surfaces that admit a call by its headers before they read its body. The runner admits all other calls. */
  admission?: Admission;
  /** Set by surfaces whose `identify` has already counted the request against the key's limit. */
  isCounted?: boolean;
  /** Set only by hosted pages, whose calls present no key: see PageCall. */
  inProcess?: {
    environment: Environment | undefined;
    limits: readonly NamedLimit[] | undefined;
    repeatKey: string | undefined;
  };
}

/** The answer of a successful call: the success envelope as JSON text, byte for byte what a repeat will get. */
export interface Answer {
  body: string;
  replayed: boolean;
  /** For an answer from a replica: it knows everything that was committed before this time. */
  asOf?: Date;
}
