import type { Context } from 'koa';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import type { Endpoint } from '#core/kernel/endpoint.js';
import type { Services } from '#core/kernel/services.js';
import type { WithBody } from './body.js';
import { setCookieHeader } from './cookies.js';
import { pageRequestOf } from './pages.js';

/** Requests of such protocols are forms, tokens and statements about a key: a few KiB. */
const bodyLimit = 64 * 1024;

/**
 * Answers an address of a protocol that a library speaks. The library writes the answer, but the body is read here,
 * like that of every request: within its limit, its time and the budget of bodies, which it is part of until the
 * answer.
 */
export async function answerEndpoint(
  context: Context,
  endpoint: Endpoint,
  services: Services,
  {
    request,
    params,
    withBody,
  }: { request: RequestFacts; params: Readonly<Record<string, string>>; withBody: WithBody },
): Promise<void> {
  const https = services.deployment.baseUrl.startsWith('https:');
  const page = pageRequestOf(context, services, { request, params, https });
  await withBody(context.req, { limit: bodyLimit, request }, (body) =>
    endpoint.answer(
      {
        page,
        request: Object.assign(context.req, { body }),
        response: context.res,
        setCookies: (cookies) => {
          if (cookies.length > 0)
            context.append(
              'Set-Cookie',
              cookies.map((each) => setCookieHeader(each, https)),
            );
        },
      },
      services,
    ),
  );
  context.respond = false;
}
