import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { RequestFacts, TenantCaller } from '#core/kernel/caller/caller.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { Services } from '#core/kernel/services.js';
import { modes, type Mode } from './instructions.js';
import { createMcpServer } from './server.js';
import { toolboxOf } from './tools.js';

export interface McpRequest {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** The length of the body as it arrived. */
  bytes: number;
  /** The caller that the bearer identifies. */
  caller: TenantCaller;
  bearer: string | undefined;
  environmentId: string | undefined;
  request: RequestFacts;
}

export interface McpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * With more operations than this a client gets the three tools of compact mode, unless it requests all (`?mode=full`).
 */
const mostTools = 40;

/** The protocol has no batches any more: one request would get the answers of thousands. */
const batchRefused: McpAnswer = {
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Batches are not supported: send each message in its own request.' },
    id: null,
  }),
};

const isMode = (text: string): text is Mode => modes.some((mode) => mode === text);

/** The refusal of a parameter in the query. @param known the allowed values */
const queryRefusal = (field: string, problem: string, known: readonly string[]): SvcError =>
  new SvcError(
    'invalid_input',
    400,
    `The query parameter “${field}” ${problem}.`,
    `Leave “${field}” out, or pass ${known.join(', ')}, as in /mcp?${field}=${known[0] ?? ''}.`,
    { field },
  );

/**
 * The transport refuses a POST whose Accept does not name both types of the protocol. It always answers in JSON here,
 * which any type, `application/json` and a missing header allow too (RFC 9110 section 12.5.1).
 */
const acceptedOf = ({ method }: McpRequest): Record<string, string> =>
  method === 'POST' ? { accept: 'application/json, text/event-stream' } : {};

/**
 * Answers one request of the streamable HTTP transport. It keeps no sessions: each request is authenticated by its
 * bearer, a secret or a publishable key, and is offered the operations that the key may call.
 * @throws invalid_input for an unknown product or mode
 */
export async function answerMcp(services: Services, incoming: McpRequest): Promise<McpAnswer> {
  const { caller, bearer, environmentId, request, url, bytes } = incoming;
  if (Array.isArray(incoming.body)) return batchRefused;
  const products = (url.searchParams.get('products') ?? '').split(',').filter((name) => name !== '');
  const unknown = products.find((name) => !services.catalogue.products.has(name));
  if (unknown !== undefined)
    throw queryRefusal('products', `names ${unknown}, which this deployment does not have`, [
      ...services.catalogue.products.keys(),
    ]);
  const { operations, tools } = toolboxOf(services.catalogue, caller, products);
  const asked = url.searchParams.get('mode');
  if (asked !== null && !isMode(asked)) throw queryRefusal('mode', `is ${asked}, which is not a mode`, modes);
  const mode = asked ?? (operations.length > mostTools ? 'compact' : 'full');

  const server = createMcpServer({ services, caller, operations, tools, mode, bearer, environmentId, request, bytes });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(
      new Request(url, { method: incoming.method, headers: { ...incoming.headers, ...acceptedOf(incoming) } }),
      { parsedBody: incoming.body },
    );
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  } finally {
    await server.close();
  }
}
