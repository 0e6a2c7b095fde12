import { bridgeStdio } from '#core/surfaces/mcp/stdio.js';
import { connectionOf, keyFor } from '../connection.js';
import type { OwnOptions } from '../options.js';

export interface McpOptions extends OwnOptions {
  readonly products: readonly string[];
  readonly mode: 'full' | 'compact' | undefined;
  /** Serve what the publishable key may call, although there is a secret one. */
  readonly publishable: boolean;
}

/** Serves MCP over standard input and output, for clients that start a program. */
export async function mcp(options: McpOptions): Promise<void> {
  const connection = await connectionOf(options);
  const { baseUrl, keys } = connection;
  const isPublishable = options.publishable || (keys.key === undefined && keys.publishableKey !== undefined);
  const key = keyFor(connection, isPublishable ? 'publishable' : 'secret') ?? '';
  await bridgeStdio({ baseUrl, key, products: options.products, mode: options.mode });
}
