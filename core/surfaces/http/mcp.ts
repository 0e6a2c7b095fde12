import type { Context } from 'koa';
import type { RequestFacts } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Services } from '#core/kernel/services.js';
import { bearerOf, header } from './headers.js';
import { senderOf, type WithBody } from './body.js';
import { parseBody } from './json.js';

export const mcpPath = '/mcp';
/**
 * The limit of a message, no matter which operation it calls; an operation's own limit is checked when the operation is
 * known.
 */
const messageLimit = 16 * 1024 * 1024;

/** The headers that the transport reads; an absent header must stay absent. */
const forwardedHeaders = (context: Context): Record<string, string> => ({
  accept: context.get('Accept'),
  'content-type': 'application/json',
  ...(header(context, 'Mcp-Protocol-Version') === undefined
    ? {}
    : { 'mcp-protocol-version': context.get('Mcp-Protocol-Version') }),
});

/** Answers the MCP address. Without sessions, clients have no stream to open, so it accepts only POST. */
export async function serveMcp(
  context: Context,
  services: Services,
  request: RequestFacts,
  withBody: WithBody,
): Promise<void> {
  if (context.method !== 'POST') throw refusalOf.method_not_allowed({ method: context.method, path: mcpPath });
  const credentials = { bearer: bearerOf(context), environmentId: header(context, 'Svc-Environment'), request };
  const caller = await services.identify(credentials);
  // Loaded at the first request: the protocol's library takes 20 MiB of memory.
  const { answerMcp } = await import('../mcp/http.js');
  const answer = await withBody(context.req, { limit: messageLimit, request, caller }, async (bytes) =>
    answerMcp(services, {
      ...credentials,
      caller,
      method: context.method,
      url: context.URL,
      headers: forwardedHeaders(context),
      bytes: bytes.length,
      body: await parseBody(bytes, {
        contentType: header(context, 'Content-Type'),
        contentEncoding: header(context, 'Content-Encoding'),
        ...senderOf(caller),
      }),
    }),
  );
  context.status = answer.status;
  for (const name of ['content-type', 'mcp-session-id']) {
    const value = answer.headers[name];
    if (value !== undefined) context.set(name, value);
  }
  context.body = answer.body;
}
