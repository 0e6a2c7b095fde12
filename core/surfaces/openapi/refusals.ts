import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import { pascal } from '../names.js';
import { schemaReference, type Components } from './components.js';
import { answerHeader } from './headers.js';

/** One response per error status of an operation, its codes as an enum. */
export function errorResponses(
  operation: Operation,
  catalogue: Catalogue,
  components: Components,
): Record<string, unknown> {
  const sharedCodes = new Set(catalogue.codesOf({ ...operation, errors: [] }));
  const byStatus = new Map<number, string[]>();
  for (const code of catalogue.codesOf(operation)) {
    const status = catalogue.errors[code]?.status ?? 500;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses = [...byStatus].map(([status, codes]) => {
    // Schemas with only common codes are shared. Schemas with the operation's own codes stay unnamed, so that client
    // generators name them after the operation.
    const isShared = codes.every((code) => sharedCodes.has(code));
    const schema = isShared ? shared(codes, components) : errorSchema(codes);
    const headers = status === 429 ? { headers: { 'Retry-After': answerHeader('RetryAfter') } } : {};
    return [
      status,
      { description: codes.join(', '), ...headers, content: { 'application/json': { schema } } },
    ] as const;
  });
  return Object.fromEntries(responses);
}

function shared(codes: readonly string[], components: Components): { $ref: string } {
  const name = `${codes.map(pascal).join('Or')}Error`;
  components.set(name, errorSchema(codes));
  return schemaReference(name);
}

/** Not an `allOf` with a general error: generators would make `code` any text. */
const errorSchema = (codes: readonly string[]): Record<string, unknown> => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'fix', 'requestId'],
      properties: {
        code: { type: 'string', enum: codes, description: 'Stable; branch on it.' },
        message: { type: 'string', description: 'For people; may be reworded.' },
        fix: { type: 'string', description: 'The next step.' },
        requestId: { type: 'string', format: 'uuid' },
        details: { type: 'object', additionalProperties: true, description: 'Further facts for programs, by code.' },
      },
    },
  },
});
