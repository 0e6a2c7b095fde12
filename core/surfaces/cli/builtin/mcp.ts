import { bridgeStdio } from '#core/surfaces/mcp/stdio.js';
import { connectionOf } from '../connection.js';
import { CliError, exit } from '../errors.js';
import type { OwnOptions } from '../options.js';

/** Speaks MCP on standard input and output, for clients that start a program. */
export async function mcp(
  options: OwnOptions & { products: readonly string[]; mode: 'full' | 'compact' | undefined },
): Promise<void> {
  const { baseUrl, key } = await connectionOf(options);
  if (key === undefined)
    throw new CliError('Nobody is logged in.', 'Run `svc login --key <key>` or set SVC_API_KEY.', exit.access);
  await bridgeStdio({ baseUrl, key, products: options.products, mode: options.mode });
}
