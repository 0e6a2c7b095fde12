import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'koa';
import type { Services } from '#core/kernel/services.js';
import { equalBytes, sha256 } from '#core/runtime/secrets/digest.js';
import { describeApi } from '#core/surfaces/openapi/document.js';
import type { ReferencePage } from '#core/surfaces/reference/page.js';
import type { Metrics } from './metrics.js';

/** GET addresses that are no operations: health, readiness, metrics, the description for machines and the one for people. */
export type Infrastructure = ReadonlyMap<string, (context: Context) => Promise<void> | void>;

export function infrastructure(services: Services, metrics: Metrics, isStopping: () => boolean): Infrastructure {
  let description: { body: string; tag: string } | undefined;
  const described = (): { body: string; tag: string } => {
    if (description) return description;
    const body = JSON.stringify(describeApi(services.catalogue, services.deployment.baseUrl));
    description = { body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
    return description;
  };
  let reference: Promise<ReferencePage> | undefined;
  // Loaded for the first who reads it.
  const referred = async (): Promise<ReferencePage> => {
    const { referencePage } = await import('#core/surfaces/reference/page.js');
    return referencePage(services.catalogue, services.deployment.baseUrl);
  };
  return new Map<string, (context: Context) => Promise<void> | void>([
    ['/healthz', (context) => void (context.body = 'ok\n')],
    [
      '/readyz',
      async (context) => {
        const ready = !isStopping() && (await canServe(services));
        context.status = ready ? 200 : 503;
        context.body = ready ? 'ready\n' : 'not ready: the database cannot be reached, or the server is stopping\n';
      },
    ],
    [
      '/metrics',
      async (context) => {
        if (!mayReadMetrics(context, services)) {
          context.status = 401;
          context.body = 'Set SVC_METRICS_TOKEN and send it as "Authorization: Bearer <token>".\n';
          return;
        }
        const { body, type } = await metrics.text();
        context.set('Content-Type', type);
        context.body = body;
      },
    ],
    [
      '/openapi.json',
      (context) => {
        const { body, tag } = described();
        context.set('ETag', tag);
        context.set('Access-Control-Allow-Origin', '*');
        context.type = 'application/json';
        if (isOneOf(context.get('If-None-Match'), tag)) context.status = 304;
        else context.body = body;
      },
    ],
    [
      '/reference',
      async (context) => {
        const { body, headers } = await (reference ??= referred());
        context.set({ ...headers });
        if (isOneOf(context.get('If-None-Match'), headers.ETag)) context.status = 304;
        else context.body = body;
      },
    ],
  ]);
}

/** A proxy that compresses weakens the tag, and there may be several (RFC 9110 §13.1.2). */
const isOneOf = (header: string, tag: string): boolean =>
  header.split(',').some((each) => [tag, '*'].includes(each.trim().replace(/^W\//, '')));

/** A server that hangs answers nothing, and no error either. */
const readyWithinMs = 2_000;

async function canServe({ database, log }: Services): Promise<boolean> {
  const patience = new AbortController();
  const late = pause(readyWithinMs, undefined, { signal: patience.signal }).then(() => {
    throw new Error('It did not answer within 2 s.');
  });
  try {
    await Promise.race([database.rows('SELECT 1'), late]);
    return true;
  } catch (error) {
    log.warn({ err: error }, 'the database cannot be reached');
    return false;
  } finally {
    late.catch(() => undefined);
    patience.abort();
  }
}

function mayReadMetrics(context: Context, { deployment }: Services): boolean {
  const token = deployment.settings.metricsToken;
  if (token === undefined) return !deployment.production;
  return equalBytes(sha256(context.get('Authorization')), sha256(`Bearer ${token}`));
}
