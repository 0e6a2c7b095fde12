import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Page } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { infrastructure, type Infrastructure } from './infrastructure.js';
import { mcpPath, serveMcp } from './mcp.js';
import { createMetrics } from './metrics.js';
import { answerOperation } from './operations.js';
import { answerPage } from './pages.js';
import { answerRefusal, asRefusal } from './refusals.js';
import { requestFactsReader } from './request-facts.js';

/** The addresses stay valid for good with and without it (specification, Versioning). */
const withoutVersion = (path: string): string => (path.startsWith('/v1/') ? path.slice(3) : path);

export interface AppOptions {
  services: Services;
  pages: readonly Page[];
  /** Turns /readyz to 503 before the server closes. */
  isStopping: () => boolean;
  /** How long a body may take to arrive. */
  arrivalMs?: number | undefined;
}

/** The HTTP surface: one route, and maps behind it - a router with 228 routes costs half of the throughput (measured). */
export function createApp({ services, pages: served, isStopping, arrivalMs }: AppOptions): Koa {
  const metrics = createMetrics();
  const factsOf = requestFactsReader(services.deployment.settings.trustProxy);
  const fixed = infrastructure(services, metrics, isStopping);
  const pages = new Map(served.map((page) => [page.path, page]));
  const router = new Router();

  router.all('/{*path}', async (context) => {
    const began = performance.now();
    const request = factsOf(context.req);
    context.set('X-Request-Id', request.requestId);
    let answered = 'unknown';
    try {
      // A connection that is kept alive may bring a new call while the server waits for the running ones to end.
      if (isStopping() && !fixed.has(context.path)) throw refusalOf.unavailable({ problem: 'it is stopping' });
      answered = await answer(context, services, fixed, pages, request, arrivalMs);
    } catch (error) {
      const refusal = asRefusal(error, request.requestId, services.log);
      answered = services.catalogue.operations.has(nameOf(context.path)) ? nameOf(context.path) : 'unknown';
      answerRefusal(context, refusal, request.requestId);
      services.log.info(
        {
          requestId: request.requestId,
          operation: answered,
          status: refusal.status,
          code: refusal.code,
          ip: request.ip,
        },
        'refused',
      );
    }
    if (isStopping()) context.set('Connection', 'close');
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

const nameOf = (path: string): string => withoutVersion(path).slice(1).replaceAll('/', '.');

/** @returns what answered, for metrics and log */
async function answer(
  context: Context,
  services: Services,
  fixed: Infrastructure,
  pages: ReadonlyMap<string, Page>,
  request: RequestFacts,
  arrivalMs: number | undefined,
): Promise<string> {
  const known = fixed.get(context.path);
  if (known) {
    if (context.method === 'GET' || context.method === 'HEAD') await known(context);
    else answerReadersOnly(context);
    return context.path;
  }
  if (context.path === mcpPath) {
    await serveMcp(context, services, request);
    return mcpPath;
  }
  const page = pages.get(context.path);
  if (page) {
    await answerPage(context, page, services, request);
    return page.path;
  }
  return answerOperation(context, withoutVersion(context.path), services, request, arrivalMs);
}

/** These addresses are no operations: the refusal of those says to send POST. */
function answerReadersOnly(context: Context): void {
  context.status = 405;
  context.set('Allow', 'GET, HEAD');
  context.body = 'This address answers GET alone.\n';
}
