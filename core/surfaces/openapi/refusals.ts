import type { Catalogue } from '#core/kernel/catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import { pascal } from '#core/surfaces/names.js';
import { schemaReference, type Components } from './components.js';
import { answerHeader } from './headers.js';

/** One response per status that an operation can refuse with, its codes as an enum. */
export function refusalResponses(
  operation: Operation,
  catalogue: Catalogue,
  components: Components,
): Record<string, unknown> {
  const ofItsKind = new Set(catalogue.codesOf({ ...operation, errors: [] }));
  const byStatus = new Map<number, string[]>();
  for (const code of catalogue.codesOf(operation)) {
    const status = catalogue.errors[code]?.status ?? 500;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses = [...byStatus].map(([status, codes]) => {
    // What every operation of a kind can answer is shared; a schema with codes of the operation's own bears no name of ours, so that
    // client generators name it after the operation.
    const isShared = codes.every((code) => ofItsKind.has(code));
    const schema = isShared ? shared(codes, components) : refusalSchema(codes);
    const headers = status === 429 ? { headers: { 'Retry-After': answerHeader('RetryAfter') } } : {};
    return [
      status,
      { description: codes.join(', '), ...headers, content: { 'application/json': { schema } } },
    ] as const;
  });
  return Object.fromEntries(responses);
}

function shared(codes: readonly string[], components: Components): { $ref: string } {
  const name = `${codes.map(pascal).join('Or')}Refusal`;
  components.set(name, refusalSchema(codes));
  return schemaReference(name);
}

/** Stated whole, not as something more than a general refusal: of an `allOf`, generators make a code that is any text. */
const refusalSchema = (codes: readonly string[]): Record<string, unknown> => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'fix', 'requestId'],
      properties: {
        code: { type: 'string', enum: codes, description: 'Stable: branch on it.' },
        message: { type: 'string', description: 'For people; may be reworded.' },
        fix: { type: 'string', description: 'The next step.' },
        requestId: { type: 'string', format: 'uuid' },
        details: { type: 'object', additionalProperties: true, description: 'More, for programs; by code.' },
      },
    },
  },
});
