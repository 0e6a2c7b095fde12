import { SvcError } from '#core/kernel/errors/errors.js';

/**
 * The position of a message in its call, for refusals: undefined if a call has one message, else its index.
 * `messages[3]` then precedes the fields that a refusal names, and `details.index` is 3.
 */
export type Place = number | undefined;

interface FieldProblem {
  readonly field: string;
}

const isFieldProblem = (value: unknown): value is FieldProblem =>
  typeof value === 'object' && value !== null && 'field' in value && typeof value.field === 'string';

/** The refusal of one message of a call, which names that message. */
function placed(error: unknown, index: Place): unknown {
  if (index === undefined || !(error instanceof SvcError)) return error;
  const place = `messages[${index}]`;
  const field = error.details?.['field'];
  if (typeof field !== 'string')
    return new SvcError(error.code, error.status, `${place}: ${error.message}`, error.fix, { ...error.details, index });
  const listed = error.details?.['problems'];
  const problems = Array.isArray(listed) ? listed.filter(isFieldProblem) : [];
  const fields = new Set([field, ...problems.map((each) => each.field)]);
  const named = (text: string): string =>
    [...fields].reduce((all, each) => all.replaceAll(`“${each}”`, `“${place}.${each}”`), text);
  const inPlace = problems.map((each) => ({ ...each, field: `${place}.${each.field}` }));
  const details = { ...error.details, index, field: `${place}.${field}` };
  return new SvcError(error.code, error.status, named(error.message), named(error.fix), {
    ...details,
    ...(problems.length > 0 ? { problems: inPlace } : {}),
  });
}

/** Runs the check of one message; its refusals name the message. */
export function at<T>(index: Place, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw placed(error, index);
  }
}

/** The same for a check that reads. */
export const atAsync = <T>(index: Place, check: () => Promise<T>): Promise<T> =>
  check().catch((error: unknown) => {
    throw placed(error, index);
  });
