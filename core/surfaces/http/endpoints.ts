import type { Context } from 'koa';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import type { Endpoint } from '#core/kernel/endpoint.js';
import type { Services } from '#core/kernel/services.js';
import { setCookieHeader } from './cookies.js';
import { pageRequestOf } from './pages.js';

/** Answers an address of a protocol that a library speaks. The library writes the answer. */
export async function answerEndpoint(
  context: Context,
  endpoint: Endpoint,
  services: Services,
  { request, params }: { request: RequestFacts; params: Readonly<Record<string, string>> },
): Promise<void> {
  const https = services.deployment.baseUrl.startsWith('https:');
  const page = pageRequestOf(context, services, { request, params, https });
  await endpoint.answer(
    {
      page,
      request: context.req,
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
  );
  context.respond = false;
}
