import { toolName } from '../../names.js';
import { jsonText } from './literal.js';
import type { ShownCall } from './curl.js';

/** A call as a call of its MCP tool. */
export const mcpExample = ({ name, example }: ShownCall): string =>
  jsonText({ name: toolName(name), arguments: example.input });
