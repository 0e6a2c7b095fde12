import type { Context } from 'koa';
import type { Callback } from '#core/kernel/callback.js';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Services } from '#core/kernel/services.js';
import type { WithBody } from './body.js';

const defaultBodyLimit = 1024 * 1024;

/**
 * Answers a callback's address. Nothing is known about the sender until the callback has checked the headers or the
 * body.
 */
export async function answerCallback(
  context: Context,
  callback: Callback,
  services: Services,
  { request, withBody }: { request: RequestFacts; withBody: WithBody },
): Promise<void> {
  if (context.method !== 'POST') throw refusalOf.method_not_allowed({ method: context.method, path: callback.path });
  const headers = allHeaders(context);
  callback.admit?.({ headers }, services);
  const answer = await withBody(context.req, { limit: callback.bodyLimit ?? defaultBodyLimit, request }, (rawBody) =>
    callback.answer(
      {
        rawBody,
        headers,
        query: context.URL.searchParams,
        url: `${services.deployment.baseUrl}${callback.path}${context.search}`,
        request,
      },
      services,
    ),
  );
  context.status = answer.status;
  // Koa answers null with 204, and a missing body with the name of the status.
  context.body = answer.body ?? '';
  context.set('Content-Type', answer.type ?? 'text/plain; charset=utf-8');
}

const allHeaders = ({ req }: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(req.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]));
