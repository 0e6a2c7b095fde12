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
    description:
      'Find svc operations by words of their name, summary or description: those that hold the most of them first. Without a query it lists all.',
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

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    // An operation's name is words too: keyId, contact.upsert.
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** They stand in every description, and tell nothing of what is looked for. */
const fillers = new Set(
  'a an and are as at be by can do for from have how i in is it my of on or that the this to us want we what which with'.split(
    ' ',
  ),
);
/** One begins with the other: unsubscribe is in “unsubscribed”, and messages is “message”. */
const isMeant = (wanted: string, there: string): boolean =>
  there.startsWith(wanted) || (there.length >= shortestStem && wanted.startsWith(there));
const shortestStem = 4;
/** Beyond these a list is no answer. */
const mostFound = 20;

/**
 * Operations that hold any word of the query, however it ends: those with the most of its words first; among equals those that
 * have them in their name, then in their summary.
 */
export function searchOperations(
  operations: readonly Operation[],
  query: string,
): { operation: string; summary: string }[] {
  const shown = ({ name, summary }: Operation): { operation: string; summary: string } => ({
    operation: name,
    summary,
  });
  const given = [...new Set(wordsOf(query))];
  if (given.length === 0) return operations.map(shown);
  const telling = given.filter((word) => !fillers.has(word));
  const wanted = telling.length > 0 ? telling : given;
  const hits = (text: string): number => {
    const there = wordsOf(text);
    return wanted.filter((word) => there.some((each) => isMeant(word, each))).length;
  };
  return operations
    .map((operation) => {
      const { name, summary, description = '' } = operation;
      const all = hits(`${name} ${summary} ${description}`);
      return { operation, all, rank: 10_000 * all + 100 * hits(name) + hits(summary) };
    })
    .filter(({ all }) => all > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, mostFound)
    .map(({ operation }) => shown(operation));
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
