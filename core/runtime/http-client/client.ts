import type { Agent } from 'undici';
import { createAddressRules } from './address-rules.js';
import { send, type HttpAnswer } from './exchange.js';
import type { HttpFailure } from './failure.js';
import { createGate } from './gate.js';
import { headerProblem } from './header-rules.js';
import { createResolver, type Resolve } from './resolve.js';
import { judgeUrl, type UrlVerdict } from './url-rules.js';

export type { HttpAnswer } from './exchange.js';
export type { HttpFailure } from './failure.js';
export type { Resolve } from './resolve.js';
export type { UrlVerdict } from './url-rules.js';

/** A request to an address that a customer named. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  /** Every header but those that follow from the URL, the body or the connection. */
  headers: Record<string, string>;
  body?: Buffer | string;
  /** Whether plain http is accepted; false when absent. */
  http?: boolean;
  /** For everything together: waiting for a connection, DNS, connecting, headers and body. 15 s when absent. */
  timeoutMs?: number;
  /** What is read of the answer's body before the connection is dropped. 16 KiB when absent. */
  maxResponseBytes?: number;
}

/** Calls addresses that customers name, without ever reaching into the deployment's own network. */
export interface HttpClient {
  /** Judges a URL by its text, for the operation that stores it. What its name resolves to is judged by `request`. */
  checkUrl(url: string, rules: { http: boolean }): UrlVerdict;
  /** Sends one request, once. Redirects are answers, never followed. Never rejects: trouble is an answer. */
  request(input: HttpRequest): Promise<HttpAnswer>;
  /** Takes no more requests, lets those under way end (no later than their deadlines), then closes every connection. */
  close(): Promise<void>;
}

/** How the client is set up. */
export interface HttpClientOptions {
  /** CIDR ranges that may be reached although private: SVC_OUTBOUND_ALLOW. */
  allow: readonly string[];
  /** Connections to one origin at most; 16 when absent. */
  connectionsPerOrigin?: number;
  /** Resolves names in place of DNS. For tests. */
  lookup?: Resolve;
  /** Certificates (PEM) to trust instead of Node's own list. For tests; operators have NODE_EXTRA_CA_CERTS. */
  ca?: string;
}

type Target = { ok: true; origin: string; path: string; plain: boolean } | { ok: false; problem: string };

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 16 * 1024;

/** A busy endpoint is judged once, not at each delivery. The verdict follows from the text alone, so it never ages. */
const REMEMBERED_URLS = 2_000;
const REMEMBERED_LENGTH = 2_000;

/**
 * The client. One for the whole process: connections are kept and shared per origin.
 *
 * @param options what may be reached, and how widely
 * @returns the client; close it when the process stops
 * @throws Error naming SVC_OUTBOUND_ALLOW when an entry of `allow` is no range
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const rules = createAddressRules(options.allow);
  const resolver = createResolver();
  const connections = options.connectionsPerOrigin ?? 16;
  const gate = createGate(connections);
  const resolve = options.lookup ?? resolver.resolve;
  let opened: Promise<Agent> | undefined;
  const openAgent = (): Promise<Agent> =>
    (opened ??= import('./agent.js').then(({ createAgent }) =>
      createAgent(rules, { resolve, connections, ca: options.ca }),
    ));
  const targets = new Map<string, Target>();
  const underWay = new Set<Promise<HttpAnswer>>();
  let closing: Promise<void> | undefined;

  const targetOf = (text: string): Target => {
    const known = targets.get(text);
    if (known !== undefined) return known;
    const verdict = judgeUrl(text, { http: true }, rules);
    const target: Target = verdict.ok ? toTarget(verdict.url) : verdict;
    if (targets.size >= REMEMBERED_URLS) targets.clear();
    if (text.length <= REMEMBERED_LENGTH) targets.set(text, target);
    return target;
  };

  return {
    checkUrl: (url, urlRules) => judgeUrl(url, urlRules, rules),
    request: async (input) => {
      const startedAt = performance.now();
      if (closing !== undefined) return refusal('connect', 'The HTTP client is closed.');
      const target = targetOf(input.url);
      if (!target.ok) return refusal('url_not_allowed', target.problem);
      if (target.plain && input.http !== true) return refusal('url_not_allowed', 'The URL must start with https://.');
      const problem = headerProblem(input.headers);
      if (problem !== undefined) return refusal('protocol', problem);
      const answer = openAgent().then((agent) =>
        send(agent, gate, {
          origin: target.origin,
          path: target.path,
          method: input.method,
          headers: input.headers,
          body: input.body ?? null,
          timeoutMs: input.timeoutMs ?? TIMEOUT_MS,
          maxResponseBytes: input.maxResponseBytes ?? MAX_RESPONSE_BYTES,
          startedAt,
        }),
      );
      underWay.add(answer);
      return answer.finally(() => underWay.delete(answer));
    },
    close: () => {
      closing ??= Promise.all(underWay).then(async () => {
        resolver.cancel();
        await (await opened)?.destroy();
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
