import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

export interface StdioOptions {
  /** The server's address, without a slash at its end. */
  baseUrl: string;
  /** A secret or a publishable key: it decides which tools there are. */
  key: string;
  /** Products to offer; all, where none is named. */
  products: readonly string[];
  mode: 'full' | 'compact' | undefined;
}

/** The address of the MCP server with what the caller wants of it. */
function addressOf({ baseUrl, products, mode }: StdioOptions): URL {
  const url = new URL(`${baseUrl}/mcp`);
  if (products.length > 0) url.searchParams.set('products', products.join(','));
  if (mode !== undefined) url.searchParams.set('mode', mode);
  return url;
}

/**
 * MCP over stdio, for clients that start a program: every message goes to the server's /mcp and back, so both doors are one.
 * @returns when the client closes its end
 */
export async function bridgeStdio(options: StdioOptions): Promise<void> {
  const remote = new StreamableHTTPClientTransport(addressOf(options), {
    requestInit: { headers: { Authorization: `Bearer ${options.key}` } },
  });
  const local = new StdioServerTransport();
  remote.onmessage = (message) => void local.send(message);
  local.onmessage = (message) => {
    remote.send(message).catch((error: unknown) => {
      // A request that could not be delivered is answered as such: the client would wait for ever.
      if (!('id' in message) || !('method' in message)) return;
      const problem = error instanceof Error ? error.message : String(error);
      void local.send({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32000, message: `The svc server did not take the call: ${problem}` },
      });
    });
  };
  const closed = new Promise<void>((resolve) => {
    local.onclose = resolve;
    process.stdin.on('end', resolve);
  });
  await remote.start();
  await local.start();
  await closed;
  await remote.close();
}
