import { bridgeStdio } from '../../mcp/stdio.js';
import { credentialsOf } from '../call.js';
import { connectionOf, targetFor } from '../session/connection.js';
import type { OwnOptions } from '../options.js';

export interface McpOptions extends OwnOptions {
  readonly products: readonly string[];
  readonly mode: 'full' | 'compact' | undefined;
  /** Serve the operations that the publishable key may call, even if there is a secret key or a session. */
  readonly publishable: boolean;
}

/** Serves MCP over standard input and output, for clients that start a program. */
export async function mcp(options: McpOptions): Promise<void> {
  const connection = await connectionOf(options);
  const { baseUrl, keys } = connection;
  const hasSecret = keys.key !== undefined || connection.session !== undefined;
  const isPublishable = options.publishable || (!hasSecret && keys.publishableKey !== undefined);
  const target = targetFor(connection, isPublishable ? 'publishable' : 'secret');
  const credentials = (): Promise<Readonly<Record<string, string>>> => credentialsOf(target);
  await bridgeStdio({ baseUrl, credentials, products: options.products, mode: options.mode });
}
