import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Plugin } from '#core/kernel/plugin.js';
import type { Services } from '#core/kernel/services.js';
import type { Session } from '#core/runtime/database/session.js';
import { takeShortTurn } from '#core/runtime/take-turn.js';
import { oldestDue, oldestRetries, type WaitingQueue } from '#core/runtime/work/oldest-due.js';
import { createBodyReader, dropRest, type WithBody } from './body.js';
import { compressAnswer } from './compress.js';
import { consoleSessionPath, isConsole, serveConsole } from './console.js';
import { docsAnswerer, isDocs } from './docs.js';
import { answerGoProxy, isGoProxy } from './go-proxy.js';
import { answerReadersOnly, descriptionPath, infrastructure, type Infrastructure } from './infrastructure.js';
import { mcpPath, serveMcp } from './mcp.js';
import { failingBatches } from '#core/kernel/events/batch.js';
import { eventQueue } from '#core/kernel/events/outbox.js';
import { oldestPending } from '#core/kernel/events/sequencer.js';
import { strangerHolder } from '#core/kernel/limits/holder-of.js';
import { goProxyPath } from '../clients/names.js';
import { buildVersion } from '../version.js';
import { createMetrics, type MetricsOfAll, type MetricsOptions } from './metrics.js';
import { answerOperation, callerOf } from './operations.js';
import { answerPerson } from './pages.js';
import { isReader, wantsHtml } from './readers.js';
import { createRefusalLog } from './refusal-log.js';
import { answerRefusal, asRefusal } from './refusals.js';
import { requestFactsReader } from './request-facts.js';
import { createRoutes } from './routes.js';
import type { Shards, WithoutClue } from './shards.js';

/**
 * The headers of every answer. Answers contain tokens, keys and personal data, so they must not be cached (RFC 6749
 * §5.1) or interpreted as another type. Answers that may be cached, such as documents and resources, set their own
 * header.
 */
const defaultHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/** Operations answer with and without the prefix /v1 (docs/interface.md, Versioning). */
const withoutVersion = (path: string): string => (path.startsWith('/v1/') ? path.slice(3) : path);

export interface AppOptions {
  services: Services;
  /** The database, for the readiness check. */
  probe: Pick<Session, 'rows'>;
  /** The enabled plugins: their pages, callbacks and resources are served. */
  plugins: readonly Plugin[];
  /** The queues that this node works on, for the metrics. */
  workedQueues: readonly WaitingQueue[];
  /** What the process has counted, for the metrics. */
  measured: Pick<MetricsOptions, 'events' | 'connectionWaits' | 'replicas' | 'commits'>;
  /** See `MetricsOptions`. */
  lateJobs?: MetricsOptions['lateJobs'];
  /** Turns /readyz to 503 and closes each connection with its next answer, while calls are still answered. */
  isStopAnnounced: () => boolean;
  /** How long a request body may take to arrive. */
  arrivalMs?: number | undefined;
  metricsOfAll?: MetricsOfAll | undefined;
  /** The other shards behind the same address. */
  shards?: Shards | undefined;
}

/**
 * The HTTP surface. One catch-all route with maps behind it: a router with 228 routes halves the throughput (measured).
 */
export function createApp({
  services,
  probe,
  plugins,
  workedQueues,
  measured,
  lateJobs,
  isStopAnnounced,
  arrivalMs,
  metricsOfAll,
  shards,
}: AppOptions): Koa {
  const { database, clock, log, deployment } = services;
  const consumers = plugins.flatMap((plugin) => plugin.consumes ?? []).map(({ name }) => name);
  const metrics = createMetrics({
    consumers,
    failingBatches: () => failingBatches(database),
    oldestDue: async () => {
      const queues = await oldestDue(database, workedQueues, clock.now());
      return queues.set(eventQueue, await oldestPending(database, clock.now()));
    },
    oldestRetries: () => oldestRetries(workedQueues, clock.now()),
    ...measured,
    lateJobs,
    info: { version: buildVersion(), role: deployment.settings.role, base_url: deployment.baseUrl },
    servers: () => database.servers(),
    log,
    ofAll: metricsOfAll,
  });
  const factsOf = requestFactsReader(deployment.settings.trustProxy);
  const fixed = infrastructure({ services, plugins, probe, commits: measured.commits, metrics, isStopAnnounced });
  const withBody = createBodyReader(arrivalMs);
  const logRefusal = createRefusalLog(log);
  const routes = createRoutes(plugins, services, withBody);
  const answerDocs = docsAnswerer(services, plugins);
  const router = new Router();

  router.all('/{*path}', async (context) => {
    const began = performance.now();
    const request = factsOf(context.req);
    context.set({ ...defaultHeaders, 'X-Request-Id': request.requestId });
    let answered = 'unknown';
    try {
      requireReadableHost(context);
      answered = await answer(context, services, { fixed, routes, answerDocs, request, withBody, shards });
    } catch (error) {
      const refusal = asRefusal(error, request.requestId, services.log);
      const operation = services.catalogue.operations.get(nameOf(context.path))?.name;
      answered = operation ?? 'unknown';
      if (isReader(context)) context.vary('Accept');
      if (isReader(context) && wantsHtml(context)) answerPerson(context, refusal, request.requestId, operation);
      else answerRefusal(context, refusal, request.requestId);
      if (!context.req.readableDidRead) dropRest(context.req);
      logRefusal({
        operation: answered,
        status: refusal.status,
        code: refusal.code,
        request,
        caller: callerOf(context),
      });
    }
    await compressAnswer(context);
    if (isStopAnnounced()) context.set('Connection', 'close');
    const seconds = (performance.now() - began) / 1000;
    metrics.observe(answered, context.status, seconds);
    services.log.debug(
      { requestId: request.requestId, operation: answered, status: context.status, ms: Math.round(seconds * 1000) },
      'answered',
    );
  });

  const app = new Koa();
  app.on('error', (error: unknown) => services.log.warn({ err: error }, 'a connection failed'));
  app.use(router.routes());
  return app;
}

/**
 * Pages and callbacks read the address as a URL, which an invalid Host header would break. Two Host headers are refused
 * (RFC 9112 §3.2): a proxy may have read the other one.
 * @throws invalid_input
 */
function requireReadableHost(context: Context): void {
  const host = context.get('Host');
  const { rawHeaders } = context.req;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  const isReadable = host === '' || (!/[/?#@\\,]/.test(host) && URL.canParse(context.href));
  if (hosts <= 1 && isReadable) return;
  throw refusalOf.invalid_input({
    field: 'Host',
    problem: hosts > 1 ? 'is sent more than once' : 'is not a host name or address',
    details: { field: 'Host' },
  });
}

const nameOf = (path: string): string => withoutVersion(path).slice(1).replaceAll('/', '.');

interface AnswerOptions {
  fixed: Infrastructure;
  routes: ReturnType<typeof createRoutes>;
  answerDocs: (context: Context) => Promise<void>;
  request: RequestFacts;
  withBody: WithBody;
  shards: Shards | undefined;
}

/** How an address finds its shard if the request names none (shards.ts). */
function withoutClue({ path }: Context, services: Services, routes: AnswerOptions['routes']): WithoutClue {
  if (path === consoleSessionPath) return 'console session';
  // It has the key with which people sign in to the dashboard, which differs by shard.
  if (path === descriptionPath) return 'first';
  const isOperation = services.catalogue.operations.has(nameOf(path));
  const route = isOperation ? undefined : (routes.fixed(path) ?? routes.templated(path)?.value);
  return route && !route.anyShard ? 'first' : 'any';
}

/** @returns the operation's name or the address, for metrics and log */
async function answer(
  context: Context,
  services: Services,
  { fixed, routes, answerDocs, request, withBody, shards }: AnswerOptions,
): Promise<string> {
  const known = fixed.get(context.path);
  const isOwn = known && context.path !== descriptionPath;
  // A public operation is for the shard of its token, whatever key its caller also sends (operations.ts).
  const isPublic = services.catalogue.operations.get(nameOf(context.path))?.access === 'public';
  const shard = isOwn || isPublic ? undefined : shards?.otherOf(context, withoutClue(context, services, routes));
  if (shard !== undefined) {
    await shards?.passOn(context, shard, request);
    return `shard ${shard}`;
  }
  if (known) {
    if (isReader(context)) await known(context);
    else answerReadersOnly(context);
    return context.path;
  }
  // Operations take their turns in the runner, once their caller is known.
  if (!services.catalogue.operations.has(nameOf(context.path))) await takeShortTurn(strangerHolder(request.ip));
  if (context.path === mcpPath) {
    await serveMcp(context, services, request, withBody);
    return mcpPath;
  }
  if (isGoProxy(context.path)) {
    await answerGoProxy(context, services);
    return goProxyPath;
  }
  if (isDocs(context.path)) {
    await answerDocs(context);
    return '/docs';
  }
  const route = routes.fixed(context.path);
  if (route) {
    await route.answer(context, request, {});
    return route.path;
  }
  if (isConsole(context.path) && services.deployment.settings.console === 'on') {
    shards?.rememberConsole(context);
    await serveConsole(context, services);
    return '/console';
  }
  const match = routes.templated(context.path);
  // A template must not hide an operation: /auth/{environmentId}/signin matches the address of auth.password.signin.
  if (match && !services.catalogue.operations.has(nameOf(context.path))) {
    await match.value.answer(context, request, match.params);
    return match.value.path;
  }
  return answerOperation(context, withoutVersion(context.path), services, { request, withBody, shards });
}
