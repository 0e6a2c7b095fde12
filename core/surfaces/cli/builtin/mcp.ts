import { bridgeStdio } from '#core/surfaces/mcp/stdio.js';
import { keyedConnectionOf } from '../connection.js';
import type { OwnOptions } from '../options.js';

/** Speaks MCP on standard input and output, for clients that start a program. */
export async function mcp(
  options: OwnOptions & { products: readonly string[]; mode: 'full' | 'compact' | undefined },
): Promise<void> {
  const { baseUrl, key } = await keyedConnectionOf(options);
  await bridgeStdio({ baseUrl, key, products: options.products, mode: options.mode });
}
