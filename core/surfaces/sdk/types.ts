/*
 * The words that the client and its generated types share. Nothing here or beside it imports from outside this folder, or from
 * Node: browsers bundle it as it is.
 */

/** What one call may say beside its input. */
export interface CallOptions {
  /** Instead of the one that the client makes for operations that are not retry-safe: a repeat with it replays the answer. */
  readonly idempotencyKey?: string | undefined;
  /** Ends the whole call, waits between tries included; it then rejects with the signal's reason, as `fetch` does. */
  readonly signal?: AbortSignal | undefined;
  /** How long one try may take; a try without an answer is repeated like one whose connection broke. */
  readonly timeoutMs?: number | undefined;
  /** The environment that a dashboard session acts in (header Svc-Environment); API keys have their own. */
  readonly environmentId?: string | undefined;
}

/** What `new Svc` takes. */
export interface SvcOptions {
  /** Where the deployment answers: `https://svc.example.com`. */
  readonly baseUrl: string;
  /** A secret key on servers, a publishable one in browsers; without one only public operations answer. */
  readonly apiKey?: string | undefined;
  /** For dashboard sessions; `CallOptions` may name another one. */
  readonly environmentId?: string | undefined;
  /** How often a call that met a passing trouble is tried again: 2 where nothing is said, 0 for never. */
  readonly maxRetries?: number | undefined;
  /** How long one try may take: 30,000 where nothing is said. */
  readonly timeoutMs?: number | undefined;
  /** A server that asks for a longer wait than this (60,000) is not waited for: the refusal comes at once, with `retryAfter`. */
  readonly maxWaitMs?: number | undefined;
  /** Instead of the global `fetch`: a proxy, an older runtime, a test. */
  readonly fetch?: Fetch | undefined;
  /** Instead of a timer, for tests. */
  readonly sleep?: Sleep | undefined;
  /** Instead of Math.random, for tests. */
  readonly random?: (() => number) | undefined;
}

/** As much of `fetch` as the client needs: the global one fits, and so do undici's and node-fetch's. */
export type Fetch = (
  url: string,
  init: { method: 'POST'; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<FetchAnswer>;

/** As much of a `Response` as the client reads. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** @param signal ends the wait early, with a rejection */
export type Sleep = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

/** An answer with what stands around its result. */
export interface Envelope<Result> {
  readonly result: Result;
  /** Id of the audit record that the call wrote; empty for reads. */
  readonly activityId: string;
  readonly requestId: string;
  /** The answer is that of an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean;
}

/**
 * A part of a reply. Servers may add fields at any time (docs/interface.md, Versioning 3): they arrive untouched, and read as `unknown`
 * until the program narrows them. The openness stands where a resource is used, not in the resource, so that `keyof`, `Omit` and
 * mocks of `Account` work; with `noPropertyAccessFromIndexSignature` a misspelt field still is a compile error.
 */
export type Open<T> = T & { [further: string]: unknown };

/** An input that holds exactly one of the named fields. */
export type ExactlyOne<T, K extends keyof T> = Omit<T, K> &
  { [Chosen in K]: Required<Pick<T, Chosen>> & { [Other in Exclude<K, Chosen>]?: never } }[K];

/** What the client must know of an operation. What is not said is false. */
export interface OperationFacts {
  readonly read?: true;
  readonly retrySafe?: true;
  /** The reply's field with the page's items. */
  readonly list?: string;
}
