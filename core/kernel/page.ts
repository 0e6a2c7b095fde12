import type { Environment, RequestFacts } from './caller/caller.js';
import type { NamedLimit } from './limits/named-limit.js';
import type { Operation } from './operation.js';
import type { Services } from './services.js';

export interface PageCallOptions {
  /**
   * The environment that the page belongs to. Required for publishable and user operations; public ones find their own.
   */
  environment?: Environment;
  /** Counted in place of the operation's own limits, for callers that share an IP address. */
  limits?: readonly NamedLimit[];
  /** See `via` of RequestFacts. */
  via?: string;
  /**
   * For a write that two requests of one browser may make at the same time: both get the same answer (until then
   * idempotency_in_progress).
   */
  idempotencyKey?: string;
  /**
   * In place of idempotencyKey, for an operation whose handler recognises its repeats: no answer is stored, and a
   * second request waits for the first.
   */
  repeatKey?: string;
}

/**
 * Calls an operation in this process: without a key, so the keys' request limit does not apply. Input validation, the
 * operation's limits, the transaction and the audit record (actor `public`) are the same as over HTTP.
 * @throws SvcError the operation's refusal; product_disabled, unknown_operation
 */
export interface PageCall {
  <Value, Sent, Reply>(
    operation: Operation<Value, Sent, Reply>,
    input: NoInfer<Sent>,
    options?: PageCallOptions,
  ): Promise<Reply>;
  /** By name, for another product's operation, whose types a page cannot import. */
  (name: string, input: object, options?: PageCallOptions): Promise<unknown>;
}

export interface PageRequest {
  method: 'GET' | 'POST';
  /** The path that was requested. */
  path: string;
  /** The values of the path's parameters, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The fields of a submitted form; empty for GET. */
  form: URLSearchParams;
  /** Request headers that pages may read, by lower-case name: see `readableHeaders` in core/surfaces/http/pages.ts. */
  headers: Readonly<Record<string, string>>;
  /** The cookies that pages have set, by the name that the page gave them. */
  cookies: ReadonlyMap<string, string>;
  /** The request has a header that proxies add (Forwarded, X-Forwarded-*), so it may come from anywhere. */
  forwarded: boolean;
  /** The Host header without its port. */
  host: string;
  /** The browser states that a page of svc sent the form (core/surfaces/http/form.ts). */
  fromOwnPage: boolean;
  /** BCP 47 tags the browser prefers, best first. */
  languages: readonly string[];
  request: RequestFacts;
  call: PageCall;
}

/**
 * A cookie that a page sets: HttpOnly, for the path /, and with the prefix `__Host-` and Secure if svc is reached over
 * https.
 */
export interface PageCookie {
  /** Letters, digits, `_`, `.` and `-`. */
  name: string;
  value: string;
  /** 0 removes the cookie. Without it the cookie lasts until the browser closes. */
  maxAgeSeconds?: number;
  /** Default: Lax. */
  sameSite?: 'Strict' | 'Lax' | 'None';
}

export interface PageAnswer {
  status: number;
  /** A whole HTML document (see core/surfaces/pages), or another body with its type. */
  body: string | Buffer;
  type?: string;
  headers?: Readonly<Record<string, string>>;
  cookies?: readonly PageCookie[];
}

/** A page for people. An error that its `answer` throws is shown on the shared error page. */
export interface Page {
  /** `/preferences`, or with parameters: `/auth/{environmentId}/signin`. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  /**
   * Accepts forms that other sites post; they are refused otherwise (CSRF). Only for a page that trusts no cookie on
   * POST: its query or form carries the credential.
   */
  readonly acceptsCrossSitePosts?: true;
  readonly answer: (request: PageRequest, services: Services) => Promise<PageAnswer>;
  /** The page's entry on the server's start page, which developers see; undefined if this reader may not use it. */
  readonly startLink?: (request: PageRequest, services: Services) => StartLink | undefined;
}

/** An entry of the start page. */
export interface StartLink {
  path: string;
  title: string;
  /** One sentence. */
  summary: string;
}
