import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { pathOf } from '#core/kernel/operation.js';
import type { Services } from '#core/kernel/services.js';
import { at } from '#core/surfaces/record.js';
import { createMcpServer } from './server.js';
import { callable } from './tools.js';

export interface McpRequest {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: unknown;
  bearer: string | undefined;
  environmentId: string | undefined;
  request: RequestFacts;
}

export interface McpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Above this many tools a client is given the compact three, unless it asks for all (`?mode=full`). */
const mostTools = 40;

const permissionsIn = (body: string): Set<string> => {
  const permissions = at(JSON.parse(body), 'result', 'permissions');
  return new Set(Array.isArray(permissions) ? permissions.filter((each) => typeof each === 'string') : []);
};

/**
 * One request of the streamable HTTP transport, without sessions: each request stands on its own bearer key, as every call does.
 * @throws what developers.key.current throws when the key is not valid, and invalid_input for an unknown mode or product
 */
export async function answerMcp(services: Services, incoming: McpRequest): Promise<McpAnswer> {
  const { bearer, environmentId, request, url } = incoming;
  // Whoever holds the key is told what it may call; finding that out is the session's one read.
  const current = services.catalogue.at(pathOf('developers.key.current'));
  const known = await services.call({
    operation: current,
    input: {},
    bearer,
    idempotencyKey: undefined,
    environmentId,
    request,
  });
  const products = (url.searchParams.get('products') ?? '').split(',').filter((name) => name !== '');
  const stranger = products.find((name) => !services.catalogue.products.has(name));
  if (stranger !== undefined) throw refusalOf.product_disabled({ product: stranger });
  const operations = callable(services.catalogue, permissionsIn(known.body), products);
  const asked = url.searchParams.get('mode');
  const mode = asked === 'full' || asked === 'compact' ? asked : operations.length > mostTools ? 'compact' : 'full';

  const server = createMcpServer({ services, operations, mode, bearer, environmentId, request });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(
      new Request(url, { method: incoming.method, headers: { ...incoming.headers } }),
      { parsedBody: incoming.body },
    );
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  } finally {
    await server.close();
  }
}
