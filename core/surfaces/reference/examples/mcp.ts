import type { Operation } from '#core/kernel/operation.js';
import { toolName } from '#core/surfaces/mcp/tools.js';
import { jsonText } from './literal.js';

/** An operation's example as a call of its MCP tool; undefined for what browsers and end users call, which is no tool. */
export function mcpExample({ name, access, example }: Operation): string | undefined {
  if (access === 'publishable' || access === 'user') return undefined;
  return jsonText({ name: toolName(name), arguments: example.input });
}
