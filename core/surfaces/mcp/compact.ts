import type { Operation } from '#core/kernel/operation.js';
import { toolInput, toolName, toolOf, type Tool } from './tools.js';

/* Compact mode: three tools that search, describe and call operations, for clients that cannot handle hundreds of tools. */

const readOnly = (title: string): Tool['annotations'] => ({
  title,
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
});

/** The tools of compact mode. */
export const compactTools: readonly Tool[] = [
  {
    name: 'search_operations',
    title: 'Search operations',
    description:
      'Find svc operations by words in their name, summary or description, best match first. Without a query it lists all.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, additionalProperties: false },
    annotations: readOnly('Search operations'),
  },
  {
    name: 'describe_operation',
    title: 'Describe an operation',
    description: 'Show an operation’s input and reply schemas, its impact and the errors it can answer.',
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
      'Call an operation with its input. Describe it first. When you retry a write, pass the same idempotencyKey inside input.',
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
    // Splits names of operations too: contact.upsert.
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Common words that say nothing about the operation. */
const stopWords = new Set(
  'a an and are as at be by can do for from have how i in is it my of on or that the this to us want we what which with'.split(
    ' ',
  ),
);
/** Whether one word begins with the other: “unsubscribe” matches “unsubscribed”, “messages” matches “message”. */
const matches = (queried: string, found: string): boolean =>
  found.startsWith(queried) || (found.length >= minStemLength && queried.startsWith(found));
const minStemLength = 4;
const maxResults = 20;

/** Operations that match any word of the query, ordered by the number of matches; matches in the name, then in the summary, break ties. */
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
  const telling = given.filter((word) => !stopWords.has(word));
  const wanted = telling.length > 0 ? telling : given;
  const hits = (text: string): number => {
    const there = wordsOf(text);
    return wanted.filter((word) => there.some((each) => matches(word, each))).length;
  };
  return operations
    .map((operation) => {
      const { name, summary, description = '' } = operation;
      const all = hits(`${name} ${summary} ${description}`);
      return { operation, all, rank: 10_000 * all + 100 * hits(name) + hits(summary) };
    })
    .filter(({ all }) => all > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, maxResults)
    .map(({ operation }) => shown(operation));
}

/** Everything about one operation. */
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
    errors: codes,
    example: example.input,
  };
}
