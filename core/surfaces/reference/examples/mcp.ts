import type { Operation } from '#core/kernel/operation.js';
import { toolName } from '#core/surfaces/mcp/tools.js';
import { jsonText } from './literal.js';

/** An operation's example as a call of its MCP tool. */
export const mcpExample = ({ name, example }: Operation): string =>
  jsonText({ name: toolName(name), arguments: example.input });
