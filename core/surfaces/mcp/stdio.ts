import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { causeOf } from '../cause.js';
import { isRecord, parseJson } from '#core/runtime/json.js';

/**
 * Above the limit of /mcp, whose refusal states the allowed size: the transport's own limit ends the connection without
 * a message.
 */
const mostBufferedBytes = 64 * 1024 * 1024;

interface StdioOptions {
  /** The server's address, without a trailing slash. */
  baseUrl: string;
  /**
   * The headers that identify the caller, requested again for each message: a secret or a publishable key, or a
   * dashboard session.
   */
  credentials: () => Promise<Readonly<Record<string, string>>>;
  /** Products to offer; all if empty. */
  products: readonly string[];
  mode: 'full' | 'compact' | undefined;
}

/** The MCP address with the options as its query. */
function addressOf({ baseUrl, products, mode }: StdioOptions): URL {
  const url = new URL(`${baseUrl}/mcp`);
  if (products.length > 0) url.searchParams.set('products', products.join(','));
  if (mode !== undefined) url.searchParams.set('mode', mode);
  return url;
}

/** The message and fix of a refusal by svc, such as for an invalid key; undefined for other answers. */
async function refusalIn(response: Response): Promise<string | undefined> {
  const answer = parseJson(await response.text());
  const error = isRecord(answer) ? answer['error'] : undefined;
  if (!isRecord(error) || typeof error['fix'] !== 'string') return undefined;
  return `${String(error['code'])}: ${String(error['message'])} ${error['fix']}`;
}

/** The requests that wait for an answer, by their ids. */
function openRequests(): {
  note(message: JSONRPCMessage): void;
  answered(message: JSONRPCMessage): void;
  /** Resolves when no message is waiting. */
  none(): Promise<void>;
} {
  const open = new Set<string | number>();
  let done: (() => void) | undefined;
  return {
    note: (message) => {
      if ('method' in message && 'id' in message) open.add(message.id);
    },
    answered: (message) => {
      if (!('method' in message) && message.id !== undefined) open.delete(message.id);
      if (open.size === 0) done?.();
    },
    none: () =>
      new Promise((resolve) => {
        done = resolve;
        if (open.size === 0) resolve();
      }),
  };
}

/**
 * Serves MCP over standard input and output by forwarding every message to the server's /mcp.
 * @returns when the client has closed its end and all of its messages are answered
 */
export async function bridgeStdio(options: StdioOptions): Promise<void> {
  const remote = new StreamableHTTPClientTransport(addressOf(options), {
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      for (const [name, value] of Object.entries(await options.credentials())) headers.set(name, value);
      const response = await fetch(url, { ...init, headers });
      const refusal = init?.method === 'POST' && !response.ok ? await refusalIn(response.clone()) : undefined;
      if (refusal !== undefined) throw new Error(refusal);
      return response;
    },
  });
  const local = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: mostBufferedBytes });
  // Standard output contains only messages. Clients show standard error, or log it.
  local.onerror = (error) => void process.stderr.write(`A message could not be read: ${error.message}\n`);
  const requests = openRequests();
  const answer = async (message: JSONRPCMessage): Promise<void> => {
    await local.send(message);
    requests.answered(message);
  };
  remote.onmessage = (message) => void answer(message);
  local.onmessage = (message) => {
    requests.note(message);
    remote.send(message).catch((error: unknown) => {
      // Without an answer the client would wait forever.
      if (!('id' in message) || !('method' in message)) return;
      void answer({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32000, message: `The svc server at ${options.baseUrl} could not be called: ${causeOf(error)}` },
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
  await requests.none();
  await remote.close();
}
