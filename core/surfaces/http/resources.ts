import type { Context } from 'koa';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import type { Resource } from '#core/kernel/resource.js';
import type { Services } from '#core/kernel/services.js';
import { etagOf, matchesETag } from '../cached-page.js';
import { answerReadersOnly } from './infrastructure.js';

/** Answers a resource's address, or 304 if the reader has the current version (RFC 9110 §13.1.2). */
export async function answerResource(
  context: Context,
  resource: Resource,
  services: Services,
  { request, params }: { request: RequestFacts; params: Readonly<Record<string, string>> },
): Promise<void> {
  context.set('Access-Control-Allow-Origin', '*');
  context.set('Access-Control-Expose-Headers', 'ETag, X-Request-Id');
  if (context.method === 'OPTIONS') {
    context.set('Access-Control-Allow-Methods', 'GET, HEAD');
    context.set('Access-Control-Allow-Headers', 'If-None-Match');
    context.set('Access-Control-Max-Age', '7200');
    context.status = 204;
    return;
  }
  if (context.method !== 'GET' && context.method !== 'HEAD') {
    answerReadersOnly(context);
    return;
  }
  const { body, type, cacheSeconds, isImmutable, release } = await resource.answer(
    { params, query: context.URL.searchParams, request },
    services,
  );
  if (release) {
    if (context.res.destroyed) release();
    else context.res.once('close', release);
  }
  const tag = etagOf(body);
  context.set('ETag', tag);
  context.set('Cache-Control', `public, max-age=${cacheSeconds}${isImmutable ? ', immutable' : ''}`);
  context.set('X-Content-Type-Options', 'nosniff');
  // Opened in a tab, it can neither run scripts nor load anything.
  context.set('Content-Security-Policy', "default-src 'none'; sandbox");
  if (matchesETag(context.get('If-None-Match'), tag)) {
    context.status = 304;
    return;
  }
  context.set('Content-Type', type);
  context.body = body;
}
