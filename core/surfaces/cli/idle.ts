import { at } from '#core/runtime/json.js';
import type { Answer } from './call.js';
import { inputFrom, type CliOperation } from './command-catalogue.js';
import { followUpCommand } from './example.js';
import type { Place } from './parts.js';

/** The text about work that waits for a call. */
export interface IdleWork {
  readonly text: string;
  readonly fix: string;
  /** Whether the work has begun, and was stopped. */
  readonly hasBegun: boolean;
}

/**
 * @param answer the last answer of the operation that shows the work
 * @returns undefined for work that does not wait for a call
 */
export function idleWork(
  { progress }: CliOperation,
  { result }: Answer,
  { catalogue, options }: Pick<Place, 'catalogue' | 'options'>,
): IdleWork | undefined {
  const status = progress && at(result, ...progress.status.split('.'));
  const idle = progress?.idle?.find((each) => each.status === status);
  if (!idle) return undefined;
  const { text, hasBegun, step, next } = idle;
  const operation = catalogue.operations.find(({ name }) => name === next.operation);
  const command = operation
    ? followUpCommand(operation, inputFrom(result, next.input), options)
    : `svc ${next.operation.replaceAll('.', ' ')}`;
  return { text, hasBegun, fix: `${step} with \`${command}\`.` };
}
