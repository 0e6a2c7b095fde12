import { nearest } from '#config/nearest.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { RequestFacts, TenantCaller } from '#core/kernel/caller/caller.js';
import { accessRefusal } from '#core/kernel/runner/resolve.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { Operation } from '#core/kernel/operation.js';
import type { Services } from '#core/kernel/services.js';
import { bodyLimitOf } from '../body-limit.js';
import { isRecord } from '#core/runtime/json.js';
import { ownVersion } from '../version.js';
import { callInput, compactTools, describeOperation, operationIn } from './compact.js';
import { instructionsFor, type Mode } from './instructions.js';
import { searchOperations } from './search.js';
import { idempotencyField, type Tool } from './tools.js';
import { toolName } from '../names.js';

export interface McpSession {
  services: Services;
  caller: TenantCaller;
  /** The operations that the caller may call. */
  operations: readonly Operation[];
  /** The same operations as MCP tools, made at the first call. */
  tools: () => readonly Tool[];
  mode: Mode;
  bearer: string | undefined;
  environmentId: string | undefined;
  request: RequestFacts;
  /** The length of the message. */
  bytes: number;
}

type Input = Record<string, unknown>;

const version = ownVersion();

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const result = (structuredContent: Input): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
});

/** A tool error: code, message and the next step. */
function errorResult({ code, message, details }: SvcError, fix: string, requestId: string): CallToolResult {
  const error = { code, message, fix, requestId, ...(details ? { details } : {}) };
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}\nFix: ${fix}\n${JSON.stringify({ error })}` }],
  };
}

/**
 * Creates the MCP server of one request. Its tools come from the catalogue; calls go through the same runner as HTTP.
 */
export function createMcpServer(session: McpSession): McpServer {
  const { services, operations, mode, request } = session;
  // The high-level API requires Zod schemas; the underlying server accepts JSON Schema.
  const instructions = instructionsFor({
    operations,
    mode,
    environment: session.caller.environment.kind,
    products: services.catalogue.products,
  });
  const mcp = new McpServer({ name: 'svc', version: version }, { capabilities: { tools: {} }, instructions });
  const { server } = mcp;

  const call = async (operation: Operation, given: Input): Promise<CallToolResult> => {
    const limit = bodyLimitOf(operation);
    // The rest of the message counts too, because measuring only the input would mean serializing it again.
    if (session.bytes > limit) throw refusalOf.body_too_large({ limit });
    const { [idempotencyField]: key, ...input } = given;
    const isWrite = !operation.impact.read;
    // Without it, a repeat would run again.
    if (isWrite && key !== undefined && typeof key !== 'string')
      throw invalidField(idempotencyField, 'must be a string');
    const answer = await services.call({
      operation,
      input,
      bearer: session.bearer,
      idempotencyKey: isWrite && typeof key === 'string' ? key : undefined,
      environmentId: session.environmentId,
      request,
      // An agent reads to see what it has just done, and is not told how old an answer is.
      maxAgeSeconds: 0,
      isCounted: true,
    });
    const envelope: unknown = JSON.parse(answer.body);
    return result(isRecord(envelope) ? envelope : {});
  };

  const named = (name: unknown): Operation => {
    const found = operations.find((operation) => operation.name === name || toolName(operation.name) === name);
    if (found) return found;
    // The refusal of an existing operation that this key may not call states which key or permission it needs.
    const existing =
      typeof name === 'string' ? services.catalogue.operations.get(name.replaceAll('_', '.')) : undefined;
    const refusal = existing && accessRefusal(existing, session.caller);
    if (refusal) throw refusal;
    throw refusalOf.unknown_operation({ path: textOf(name), suggestion: nextStepFor(name) });
  };

  /** What to call if this key may call no operation of that name. */
  const nextStepFor = (name: unknown): string => {
    const guess = nearest(
      textOf(name).replaceAll('_', '.'),
      operations.map((operation) => operation.name),
    );
    const meant = guess === undefined ? '' : `Did you mean ${guess}? `;
    return `${meant}${mode === 'full' ? 'List the tools' : 'Call search_operations'} to see what this key may call.`;
  };

  const answer = (name: string, given: Input): Promise<CallToolResult> | CallToolResult => {
    if (mode === 'full') return call(named(name), given);
    if (name === 'search_operations')
      return result({ operations: searchOperations(operations, textOf(given['query'])) });
    if (name === 'describe_operation') {
      const operation = named(operationIn(given));
      return result(describeOperation(operation, services.catalogue.codesOf(operation)));
    }
    if (name === 'call_operation') return call(named(operationIn(given)), callInput(given));
    throw refusalOf.unknown_operation({
      path: name,
      suggestion: operations.some((operation) => toolName(operation.name) === name)
        ? `The tools are search_operations, describe_operation and call_operation. ${name.replaceAll('_', '.')} is an operation.`
        : 'The tools are search_operations, describe_operation and call_operation.',
    });
  };

  /** The operation that a tool call refers to, if there is one. */
  const calledBy = (tool: string, given: Input | undefined): string | undefined => {
    const name = mode === 'full' ? tool : given?.['operation'];
    return operations.find((operation) => operation.name === name || toolName(operation.name) === name)?.name;
  };
  const refused = (error: SvcError, tool: string, given: Input | undefined): CallToolResult =>
    errorResult(error, fixForTools(error, session, calledBy(tool, given)), request.requestId);

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: mode === 'full' ? [...session.tools()] : [...compactTools],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      return await answer(params.name, params.arguments ?? {});
    } catch (error) {
      if (error instanceof SvcError) return refused(error, params.name, params.arguments);
      services.log.error({ err: error, requestId: request.requestId }, 'a tool call failed');
      return refused(refusalOf.internal_error(), params.name, params.arguments);
    }
  });
  return mcp;
}

/**
 * A refusal's next step for a caller of tools: operations that the caller may call are named as tools, and terms of
 * HTTP are replaced by those of the tools.
 * @param called the operation that was refused, if there was one
 */
function fixForTools(
  { fix }: SvcError,
  { operations, mode }: { operations: readonly Operation[]; mode: Mode },
  called?: string,
): string {
  const describe = called === undefined ? 'describe_operation' : `describe_operation with operation ${called}`;
  const input =
    mode === 'full' ? `the input schema of ${called === undefined ? 'the tool' : toolName(called)}` : describe;
  const said = fix
    .replaceAll('Idempotency-Key', 'idempotencyKey')
    // A whole sentence, or the end of one.
    .replace(/(?<=\.) *The operation’s input is described at \/openapi\.json/, ` See ${input}`)
    .replace(
      /;? *(the operation’s input is described at|see) \/openapi\.json[^.;]*/i,
      `; ${input} shows what it takes`,
    );
  const named = operations.map(({ name }) => name).filter((name) => mentions(said, name));
  if (named.length === 0) return said;
  if (mode === 'compact') return `${said} Call ${named.join(' and ')} with call_operation.`;
  return named.reduce((text, name) => text.replace(mention(name), toolName(name)), said);
}

/** A whole name: not `email.send` in `email.sender.get`. */
const mention = (name: string): RegExp => new RegExp(`(?<![\\w.])${name.replaceAll('.', '\\.')}(?!\\w|\\.\\w)`, 'g');
const mentions = (text: string, name: string): boolean => mention(name).test(text);
