import type { Operation } from '#core/kernel/operation.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { isRecord, parseJson } from '#core/runtime/json.js';
import { toolInput, toolOf, type Tool } from './tools.js';
import { toolName } from '../names.js';

/*
 * Compact mode: three tools that search, describe and call operations, for clients that cannot handle hundreds of
 * tools.
 */

const readOnly = (title: string): Tool['annotations'] => ({
  title,
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
});

const operationParameter = {
  type: 'string',
  description: 'The operation’s name as search_operations shows it: `account.get`.',
};

/** The tools of compact mode. */
export const compactTools: readonly Tool[] = [
  {
    name: 'search_operations',
    title: 'Search operations',
    description: 'Find svc operations, best match first. Without a query it lists all that your key may call.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description:
            'What you want to do, in your own words: “send a mail”, “did it arrive”, or an operation’s name.',
        },
      },
      additionalProperties: false,
    },
    annotations: readOnly('Search operations'),
  },
  {
    name: 'describe_operation',
    title: 'Describe an operation',
    description: 'Show an operation’s input and reply schemas, its impact and the errors it can answer.',
    inputSchema: {
      type: 'object',
      properties: { operation: operationParameter },
      required: ['operation'],
      additionalProperties: false,
    },
    annotations: readOnly('Describe an operation'),
  },
  {
    name: 'call_operation',
    title: 'Call an operation',
    description: 'Call an operation with its input. Describe it first; its fields go inside `input`, not beside it.',
    inputSchema: {
      type: 'object',
      properties: {
        operation: operationParameter,
        input: {
          type: 'object',
          description:
            'The operation’s own fields, as describe_operation shows them: {"to": "ada@example.com"}. Leave it out where the operation takes none. Writes also take idempotencyKey here: choose a new one for each call, and pass the same one when you retry it.',
        },
      },
      required: ['operation'],
      additionalProperties: false,
    },
    annotations: {
      title: 'Call an operation',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
];

/** Everything about one operation. */
export function describeOperation(operation: Operation, codes: readonly string[]): Record<string, unknown> {
  const { name, impact, example, limits } = operation;
  const { description, outputSchema } = toolOf(operation);
  return {
    operation: name,
    tool: toolName(name),
    description,
    impact,
    limits: limits?.map(({ description }) => description) ?? [],
    input: toolInput(operation),
    reply: outputSchema,
    errors: codes,
    example: example.input,
  };
}

/**
 * The operation's name out of the arguments of describe_operation and call_operation. @throws invalid_input without one
 */
export function operationIn({ operation }: Readonly<Record<string, unknown>>): string {
  if (typeof operation === 'string' && operation !== '') return operation;
  throw invalidField(
    'operation',
    'must be the name of an operation, as search_operations shows it, such as account.get',
  );
}

/**
 * The operation's input from the arguments of call_operation. Some clients send objects as JSON texts.
 * @throws invalid_input if it is not an object, and for fields next to `input`, which would be ignored
 */
export function callInput(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const surplus = Object.keys(given).find((name) => name !== 'operation' && name !== 'input');
  if (surplus !== undefined) throw invalidField(surplus, 'is outside input: put the operation’s fields inside input');
  const { input } = given;
  if (input === undefined || input === null || input === '') return {};
  const found = typeof input === 'string' ? parseJson(input) : input;
  if (!isRecord(found)) throw invalidField('input', 'must be an object with the operation’s fields');
  return found;
}
