/*
 * Types that the client and its generated types share. This folder imports nothing from outside or from Node: browsers
 * bundle it.
 */

/** Options of one call. */
export interface CallOptions {
  /** Replaces the generated key. A repeat with the same key returns the stored response. */
  readonly idempotencyKey?: string | undefined;
  /** Aborts the call, including waits between attempts; it then rejects with the signal's reason, like `fetch`. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one attempt; after it the call is retried. */
  readonly timeoutMs?: number | undefined;
  /** The environment that a dashboard session acts in (header Svc-Environment); API keys have their own. */
  readonly environmentId?: string | undefined;
  /**
   * How old the answer of a read may be, in whole seconds (header Svc-Max-Age). The reference names the reads that it
   * applies to; if the server has replicas, they answer them, and less load is on its primary.
   */
  readonly maxAgeSeconds?: number | undefined;
}

/** Options of `new Svc`. */
export interface SvcOptions {
  /**
   * The server's address: `https://svc.example.com`. Default: the server that this package was installed from; required
   * if it came from elsewhere.
   */
  readonly baseUrl?: string | undefined;
  /**
   * A secret key on servers, a publishable key in browsers and apps. Without a key, only public operations can be
   * called.
   */
  readonly apiKey?: string | undefined;
  /** The environment for dashboard sessions; `CallOptions` can override it. */
  readonly environmentId?: string | undefined;
  /** Maximum number of retries after temporary errors. Default: 2. */
  readonly maxRetries?: number | undefined;
  /** Time limit of one attempt. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Longest wait before a retry. If the server asks for more, the call fails immediately, with `retryAfter`. Default:
   * 60,000.
   */
  readonly maxWaitMs?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Replaces the timer, for tests. */
  readonly sleep?: Sleep | undefined;
  /** Replaces Math.random, for tests. */
  readonly random?: (() => number) | undefined;
}

/** The part of `fetch` that the client needs; the ones of undici and node-fetch are compatible. */
export type Fetch = (
  url: string,
  init: { method: 'POST'; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<FetchAnswer>;

/** The part of `Response` that the client reads. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** Waits. @param signal rejects the wait early */
export type Sleep = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

/** A result with metadata of its call. */
export interface Envelope<Result> {
  readonly result: Result;
  /** Id of the audit record that the call wrote; empty for reads. */
  readonly activityId: string;
  readonly requestId: string;
  /** Whether the response is the stored one of an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean;
  /**
   * The answer comes from a replica, and knows everything that was committed before this time; absent if it is the
   * newest.
   */
  readonly dataAsOf?: string;
}

/** An input with exactly one of the named fields. */
export type ExactlyOne<T, K extends keyof T> = Omit<T, K> &
  {
    [Chosen in K]: { [Field in Chosen]-?: Exclude<T[Field], undefined> } & {
      [Other in Exclude<K, Chosen>]?: undefined;
    };
  }[K];

/** What the client needs to know about an operation. Absent means false. */
export interface OperationFacts {
  readonly read?: true;
  readonly retrySafe?: true;
  /** The field of the reply that holds the page's items; absent if the operation is not a list. */
  readonly list?: string;
}
