import type { Context } from 'koa';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import { createPathTable } from '#core/kernel/path-template.js';
import type { Plugin } from '#core/kernel/plugin.js';
import type { Services } from '#core/kernel/services.js';
import type { WithBody } from './body.js';
import { answerCallback } from './callbacks.js';
import { answerEndpoint } from './endpoints.js';
import { answerReadersOnly } from './infrastructure.js';
import { answerPage } from './pages.js';
import { isReader, wantsHtml } from './readers.js';
import { answerResource } from './resources.js';

/** The handler of an address that is not an operation. */
export interface Route {
  /** The address as it was declared, including parameters: the name that metrics and logs use. */
  readonly path: string;
  /** Every shard answers the same (shards.ts). */
  readonly anyShard?: true;
  readonly answer: (context: Context, request: RequestFacts, params: Readonly<Record<string, string>>) => Promise<void>;
}

/** The pages, callbacks and resources of the enabled products, by address. */
export function createRoutes(
  plugins: readonly Plugin[],
  services: Services,
  withBody: WithBody,
): ReturnType<typeof createPathTable<Route>> {
  const pages = plugins.flatMap((plugin) => plugin.pages ?? []);
  const callbacks = plugins.flatMap((plugin) => plugin.callbacks ?? []);
  const endpoints = plugins.flatMap((plugin) => plugin.endpoints ?? []);
  const resources = plugins.flatMap((plugin) => plugin.resources ?? []);
  const routes: Route[] = [
    {
      path: '/',
      anyShard: true,
      async answer(context, request) {
        // A call that was sent to the wrong address.
        if (!isReader(context)) services.catalogue.at(context.path);
        context.vary('Accept');
        // Loaded at the first request.
        const { startPage, startText } = await import('../start/page.js');
        if (wantsHtml(context))
          return answerPage(context, startPage(pages), services, { request, params: {}, withBody });
        context.type = 'application/json';
        context.body = startText(services);
      },
    },
    {
      path: '/clients',
      anyShard: true,
      async answer(context, request) {
        if (!isReader(context)) {
          answerReadersOnly(context);
          return;
        }
        context.vary('Accept');
        // Loaded at the first request.
        const { clientsOf, clientsPage, clientsText } = await import('../clients/page.js');
        const clients = await clientsOf(services.deployment.baseUrl);
        if (wantsHtml(context))
          return answerPage(context, clientsPage(clients), services, { request, params: {}, withBody });
        context.type = 'application/json';
        context.body = clientsText(clients, services.deployment.baseUrl);
      },
    },
    ...pages.map((page) => ({
      path: page.path,
      answer: (context: Context, request: RequestFacts, params: Readonly<Record<string, string>>) =>
        answerPage(context, page, services, { request, params, withBody }),
    })),
    ...callbacks.map((callback) => ({
      path: callback.path,
      answer: (context: Context, request: RequestFacts) =>
        answerCallback(context, callback, services, { request, withBody }),
    })),
    ...endpoints.map((endpoint) => ({
      path: endpoint.path,
      answer: (context: Context, request: RequestFacts, params: Readonly<Record<string, string>>) =>
        answerEndpoint(context, endpoint, services, { request, params, withBody }),
    })),
    ...resources.flatMap((resource) =>
      [resource.path, `/v1${resource.path}`].map((path) => ({
        path,
        answer: (context: Context, request: RequestFacts, params: Readonly<Record<string, string>>) =>
          answerResource(context, resource, services, { request, params }),
      })),
    ),
  ];
  return createPathTable(routes.map((route) => [route.path, route]));
}
