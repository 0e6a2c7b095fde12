import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'koa';
import type { Plugin } from '#core/kernel/plugin.js';
import type { Services } from '#core/kernel/services.js';
import { assertWritable } from '#core/runtime/database/server/check.js';
import { NoCommits } from '#core/runtime/database/errors.js';
import { noCommits, type CommitWatch } from '#core/runtime/database/commits.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Log } from '#core/runtime/log.js';
import { equalBytes, sha256 } from '#core/runtime/secrets/digest.js';
import { clientNames, clientPaths, type ClientName } from '../clients/names.js';
import type { Metrics } from './metrics.js';
import { matchesETag, type CachedPage } from '../cached-page.js';

/** The server's own GET addresses: health, readiness, metrics, /openapi.json and the clients. */
export type Infrastructure = ReadonlyMap<string, (context: Context) => Promise<void> | void>;

/** The OpenAPI document. */
export const descriptionPath = '/openapi.json';

interface InfrastructureOptions {
  services: Services;
  /** The enabled plugins, which add to /openapi.json. */
  plugins: readonly Plugin[];
  /** The database, for the readiness check. */
  probe: Pick<Session, 'rows'>;
  /** Whether the database commits. */
  commits: Pick<CommitWatch, 'isCommitting'> | undefined;
  metrics: Metrics;
  isStopAnnounced: () => boolean;
}

export function infrastructure({
  services,
  plugins,
  probe,
  commits,
  metrics,
  isStopAnnounced,
}: InfrastructureOptions): Infrastructure {
  const { catalogue, deployment } = services;
  // Loaded at the first request.
  const description = cachedPage(async () => {
    const { descriptionPage } = await import('../openapi/document.js');
    const more = await Promise.all(plugins.flatMap(({ describes }) => (describes ? [describes(services)] : [])));
    const fields = Object.fromEntries(more.flatMap((each) => Object.entries(each)));
    return descriptionPage(catalogue, deployment.baseUrl, fields);
  });
  const client = (name: ClientName) => async (context: Context) => {
    const { clientPackage } = await import('../clients/packages.js');
    const found = await clientPackage(name, deployment.baseUrl);
    if (found) answerCached(context, found.file);
    else {
      context.status = 404;
      context.body = 'The clients of this server were not built. Run npm run build in its folder.\n';
    }
  };
  return new Map<string, (context: Context) => Promise<void> | void>([
    ['/healthz', (context) => void (context.body = 'ok\n')],
    [
      '/readyz',
      async (context) => {
        const ready = !isStopAnnounced() && (await canServe(probe, commits, services.log));
        context.status = ready ? 200 : 503;
        context.body = ready
          ? 'ready\n'
          : 'not ready: the database cannot be reached, is read-only or commits nothing, or the server is stopping\n';
      },
    ],
    [
      '/metrics',
      async (context) => {
        if (!mayReadMetrics(context, services)) {
          context.status = 401;
          context.set('WWW-Authenticate', 'Bearer');
          context.body =
            services.deployment.settings.metricsToken === undefined
              ? 'Set SVC_METRICS_TOKEN, then send it as "Authorization: Bearer <token>".\n'
              : 'Send the token of SVC_METRICS_TOKEN as "Authorization: Bearer <token>".\n';
          return;
        }
        const { body, type } = await metrics.text();
        context.set('Content-Type', type);
        context.body = body;
      },
    ],
    [descriptionPath, description],
    ...clientNames.flatMap((name) => clientPaths(name).map((path) => [path, client(name)] as const)),
  ]);
}

/** A hanging database server returns neither rows nor an error. */
const readyTimeoutMs = 2_000;

async function canServe(
  probe: Pick<Session, 'rows'>,
  commits: InfrastructureOptions['commits'],
  log: Log,
): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(readyTimeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error('It did not answer within 2 s.');
  });
  try {
    await Promise.race([assertWritable(probe), late]);
    if (commits?.isCommitting() === false) throw new NoCommits(noCommits);
    return true;
  } catch (error) {
    log.warn({ err: error }, 'the database cannot be reached, or takes no changes');
    return false;
  } finally {
    late.catch(() => undefined);
    timer.abort();
  }
}

function mayReadMetrics(context: Context, { deployment }: Services): boolean {
  const token = deployment.settings.metricsToken;
  if (token === undefined) return !deployment.production;
  return equalBytes(sha256(context.get('Authorization')), sha256(`Bearer ${token}`));
}

/**
 * Answers methods other than GET and HEAD. The text is plain, because the refusal of operations tells the caller to
 * send POST.
 */
export function answerReadersOnly(context: Context): void {
  context.status = 405;
  context.set('Allow', 'GET, HEAD');
  context.body = 'This address answers GET and HEAD only.\n';
}

/**
 * Answers a page that is rendered at the first request and then cached, or 304 to a reader that has it. After a failure
 * it is tried again.
 */
function cachedPage(make: () => Promise<CachedPage>): (context: Context) => Promise<void> {
  let made: Promise<CachedPage> | undefined;
  return async (context) => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    answerCached(context, await made);
  };
}

/** Answers a page, or 304 to a reader that has it. */
export function answerCached(context: Context, { body, headers }: CachedPage): void {
  context.set({ ...headers });
  if (matchesETag(context.get('If-None-Match'), headers.ETag)) context.status = 304;
  else context.body = body;
}
