import type { Operation } from '#core/kernel/operation.js';
import { toolInput, toolName, toolOf, type Tool } from './tools.js';

/*
 * Three tools instead of one per operation: clients choke on hundreds. A model searches, looks one up, and calls it.
 */

const readOnly = (title: string): Tool['annotations'] => ({
  title,
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
});

/** The three tools of the compact mode. */
export const compactTools: readonly Tool[] = [
  {
    name: 'search_operations',
    title: 'Search operations',
    description: 'Find svc operations by words of their name or summary. Without a query it lists all of them.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, additionalProperties: false },
    annotations: readOnly('Search operations'),
  },
  {
    name: 'describe_operation',
    title: 'Describe an operation',
    description: 'Show an operation’s input and reply schemas, its impact and the refusals it can answer.',
    inputSchema: {
      type: 'object',
      properties: { operation: { type: 'string' } },
      required: ['operation'],
      additionalProperties: false,
    },
    annotations: readOnly('Describe an operation'),
  },
  {
    name: 'call_operation',
    title: 'Call an operation',
    description:
      'Call an operation with its input. Describe it first. On a retry of the same write pass the same idempotencyKey inside input.',
    inputSchema: {
      type: 'object',
      properties: { operation: { type: 'string' }, input: { type: 'object' } },
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

const words = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** Operations whose name or summary holds every word of the query; those that are named so first. */
export function searchOperations(
  operations: readonly Operation[],
  query: string,
): { operation: string; summary: string }[] {
  const wanted = words(query);
  const hits = (text: string): number => wanted.filter((word) => text.toLowerCase().includes(word)).length;
  return operations
    .filter(({ name, summary }) => hits(`${name} ${summary}`) === wanted.length)
    .sort((a, b) => hits(b.name) - hits(a.name))
    .map(({ name, summary }) => ({ operation: name, summary }));
}

/** One operation, whole. */
export function describeOperation(operation: Operation, codes: readonly string[]): Record<string, unknown> {
  const { name, impact, example, limits } = operation;
  const { description, outputSchema } = toolOf(operation);
  return {
    operation: name,
    tool: toolName(name),
    description,
    impact,
    limits: limits?.map(({ words: said }) => said) ?? [],
    input: toolInput(operation),
    reply: outputSchema,
    refusals: codes,
    example: example.input,
  };
}
