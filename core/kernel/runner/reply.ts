import type { Operation } from '../operation.js';
import { cutToSchema } from '../schema/validation/cut.js';
import { replyProblem } from '../schema/validation/validate.js';

/**
 * The success envelope as JSON text, the reply cut to its schema.
 * @throws Error in tests (`strict`) if the reply does not match its schema
 */
export function envelope(operation: Operation, activityId: string, reply: unknown, strict: boolean): string {
  const surplus: string[] = [];
  const result = cutToSchema(operation.output, reply, (path) => surplus.push(path));
  if (strict) {
    const problem = surplus[0] ?? replyProblem(operation.output, JSON.parse(JSON.stringify(result)));
    if (problem !== undefined)
      throw new Error(`${operation.name} replied with what its schema does not allow: ${problem}`);
  }
  return JSON.stringify({ activityId, result });
}
