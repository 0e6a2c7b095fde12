import { SvcError } from '#core/kernel/errors/errors.js';

/**
 * The position of a message in its call, for refusals: undefined if a call has one message, else its index.
 * `messages[3]` then precedes the fields that a refusal names, and `details.index` is 3.
 */
export type IndexInCall = number | undefined;

interface FieldProblem {
  readonly field: string;
}

const isFieldProblem = (value: unknown): value is FieldProblem =>
  typeof value === 'object' && value !== null && 'field' in value && typeof value.field === 'string';

/** The refusal of one message of a call, which names that message. */
function withIndex(error: unknown, index: IndexInCall): unknown {
  if (index === undefined || !(error instanceof SvcError)) return error;
  const path = `messages[${index}]`;
  const field = error.details?.['field'];
  if (typeof field !== 'string')
    return new SvcError(error.code, error.status, `${path}: ${error.message}`, error.fix, { ...error.details, index });
  const listed = error.details?.['problems'];
  const problems = Array.isArray(listed) ? listed.filter(isFieldProblem) : [];
  const fields = new Set([field, ...problems.map((each) => each.field)]);
  const named = (text: string): string =>
    [...fields].reduce((all, each) => all.replaceAll(`“${each}”`, `“${path}.${each}”`), text);
  const indexed = problems.map((each) => ({ ...each, field: `${path}.${each.field}` }));
  const details = { ...error.details, index, field: `${path}.${field}` };
  return new SvcError(error.code, error.status, named(error.message), named(error.fix), {
    ...details,
    ...(problems.length > 0 ? { problems: indexed } : {}),
  });
}

/** Runs the check of one message; its refusals name the message. */
export function at<T>(index: IndexInCall, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw withIndex(error, index);
  }
}

/** The same for a check that reads. */
export const atAsync = <T>(index: IndexInCall, check: () => Promise<T>): Promise<T> =>
  check().catch((error: unknown) => {
    throw withIndex(error, index);
  });
