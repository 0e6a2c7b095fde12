import { createAddressRules } from './address-rules.js';
import { send, type HttpAnswer } from './exchange.js';
import type { HttpFailure } from './failure.js';
import { createPools } from './pools.js';
import { createResolver, type Resolve } from './resolve.js';
import { validateUrl, type UrlCheck } from './url-rules.js';

/** Tokens (RFC 9110 section 5.6.2). */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Visible characters, spaces, tabs and the bytes above ASCII (RFC 9110 section 5.5): no CR, LF, NUL or other control.
 */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that undici derives from the URL, the body or the connection. */
const derivedHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
]);

/**
 * Checks headers before undici receives them: if undici rejects a header, it counts one of the origin's connections as
 * busy forever (7.30.2), so sixteen such requests block the origin.
 *
 * @param headers names and values
 * @returns undefined if they are valid, otherwise a message that names the header and not its value
 */
function headerProblem(headers: Readonly<Record<string, string>>): string | undefined {
  for (const name in headers) {
    if (!fieldName.test(name)) return 'A header has a name that is not a token.';
    if (derivedHeaders.has(name.toLowerCase())) return `The header ${name} cannot be set.`;
    if (!fieldValue.test(headers[name] ?? '')) return `The header ${name} has a value with control characters.`;
  }
  return undefined;
}

export type { HttpAnswer } from './exchange.js';
export type { HttpFailure } from './failure.js';
export type { Resolve } from './resolve.js';
export type { UrlCheck } from './url-rules.js';

/** A request to a URL of a customer. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  /** All headers except those derived from the URL, the body or the connection. */
  headers: Record<string, string>;
  body?: Buffer | string;
  /** Whether plain http is allowed; false by default. */
  http?: boolean;
  /** Limits the whole request: waiting for a connection, DNS, connecting, headers and body. 15 s by default. */
  timeoutMs?: number;
  /**
   * The request is not sent later than this, by performance.now(), and fails with `connect`. For a caller that may send
   * it only while it holds a lease: a suspended process continues long after its lease has expired.
   */
  startBy?: number | undefined;
  /**
   * Only requests of the same pool share connections, so that a server which hangs for one tenant delays no request of
   * another tenant to the same server. Requests without a pool share one.
   */
  pool?: string;
  /** How much of the response's body is read before the connection is closed. 16 KiB by default. */
  maxResponseBytes?: number;
  /**
   * Whether the status and headers are an answer without the end of the body, for a caller that only stores it: if the
   * body breaks off, or has not ended within `timeoutMs`, what arrived is returned. False by default.
   */
  endsAtHead?: boolean;
}

/** Calls customers' URLs, and never reaches the deployment's own network. */
export interface HttpClient {
  /**
   * Checks a URL by its text, for operations that store it. `request` checks the addresses that its name resolves to.
   */
  checkUrl(url: string, rules: { http: boolean }): UrlCheck;
  /** Sends a request once. Redirects are not followed. Never rejects: a failure is also an answer. */
  request(input: HttpRequest): Promise<HttpAnswer>;
  /** Refuses new requests, waits for those in flight (until their deadlines), then closes all connections. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  /** Private CIDR ranges that may be reached: SVC_OUTBOUND_ALLOW. */
  allow: readonly string[];
  /** The maximum of connections to an origin; 16 by default. */
  connectionsPerOrigin?: number;
  /** How long a pool without requests keeps its connections; 30 s by default. */
  idlePoolMs?: number;
  /** Replaces DNS in tests. */
  lookup?: Resolve;
  /** Certificates (PEM) to trust instead of Node's list, for tests. Operators use NODE_EXTRA_CA_CERTS. */
  ca?: string;
}

type Target = { ok: true; origin: string; path: string; plain: boolean } | { ok: false; problem: string };

const TIMEOUT_MS = 15_000;
const IDLE_POOL_MS = 30_000;
const MAX_RESPONSE_BYTES = 16 * 1024;

/**
 * Results of checking URLs are cached, for endpoints with many deliveries. They depend only on the text, so they never
 * expire.
 */
const MAX_CACHED_URLS = 2_000;
const MAX_CACHED_LENGTH = 2_000;

/**
 * Creates the HTTP client of the process. Connections are reused by the requests of one pool to one origin.
 *
 * @returns the client; close it when the process stops
 * @throws Error naming SVC_OUTBOUND_ALLOW if an entry of `allow` is not a range
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const rules = createAddressRules(options.allow);
  const resolver = createResolver();
  const connections = options.connectionsPerOrigin ?? 16;
  const resolve = options.lookup ?? resolver.resolve;
  const pools = createPools(
    async () => {
      const { createAgent } = await import('./agent.js');
      return createAgent(rules, { resolve, connections, ca: options.ca });
    },
    connections,
    options.idlePoolMs ?? IDLE_POOL_MS,
  );
  const targets = new Map<string, Target>();
  const inFlight = new Set<Promise<HttpAnswer>>();
  let closing: Promise<void> | undefined;

  const targetOf = (text: string): Target => {
    const cached = targets.get(text);
    if (cached !== undefined) return cached;
    const check = validateUrl(text, { http: true }, rules);
    const target: Target = check.ok ? toTarget(check.url) : check;
    if (targets.size >= MAX_CACHED_URLS) targets.clear();
    if (text.length <= MAX_CACHED_LENGTH) targets.set(text, target);
    return target;
  };

  return {
    checkUrl: (url, urlRules) => validateUrl(url, urlRules, rules),
    request: async (input) => {
      const startedAt = performance.now();
      if (closing !== undefined) return refusal('connect', 'The HTTP client is closed.');
      const target = targetOf(input.url);
      if (!target.ok) return refusal('url_not_allowed', target.problem);
      if (target.plain && input.http !== true) return refusal('url_not_allowed', 'The URL must start with https://.');
      const problem = headerProblem(input.headers);
      if (problem !== undefined) return refusal('protocol', problem);
      const answer = pools.use(input.pool ?? '', async ({ agent, gate }) =>
        send(await agent, gate, {
          startBy: Math.min(input.startBy ?? Infinity, startedAt + (input.timeoutMs ?? TIMEOUT_MS)),
          origin: target.origin,
          path: target.path,
          method: input.method,
          headers: input.headers,
          body: input.body ?? null,
          timeoutMs: input.timeoutMs ?? TIMEOUT_MS,
          maxResponseBytes: input.maxResponseBytes ?? MAX_RESPONSE_BYTES,
          endsAtHead: input.endsAtHead ?? false,
          startedAt,
        }),
      );
      inFlight.add(answer);
      return answer.finally(() => inFlight.delete(answer));
    },
    close: () => {
      closing ??= Promise.all(inFlight).then(async () => {
        resolver.cancel();
        await pools.close();
      });
      return closing;
    },
  };
}

function toTarget(url: URL): Target {
  return { ok: true, origin: url.origin, path: url.pathname + url.search, plain: url.protocol === 'http:' };
}

function refusal(kind: HttpFailure['kind'], message: string): HttpAnswer {
  return { ok: false, error: { kind, message }, durationMs: 0 };
}
