import type { ErrorObject } from 'ajv/dist/2020.js';

/** Errors that belong together: the errors of all alternatives in one place, or a single error. */
export interface ErrorGroup {
  /** The error that summarizes the others; undefined for a single error. */
  readonly summary: ErrorObject | undefined;
  readonly errors: readonly ErrorObject[];
}

const isSummary = ({ keyword }: ErrorObject): boolean => ['anyOf', 'oneOf', 'propertyNames'].includes(keyword);

/** Whether an error is reported for a branch of what `summary` summarizes. */
const isBelow = (error: ErrorObject, summary: ErrorObject): boolean =>
  error.schemaPath.startsWith(`${summary.schemaPath}/`) &&
  (error.instancePath === summary.instancePath || error.instancePath.startsWith(`${summary.instancePath}/`));

/**
 * Groups Ajv's errors. For a keyword with alternatives, Ajv reports the errors of every branch first, then the error of
 * the keyword itself.
 * @returns the outermost groups, in the order of the errors
 */
export function groupErrors(errors: readonly ErrorObject[]): ErrorGroup[] {
  const groups: ErrorGroup[] = [];
  for (const error of errors) {
    const below: ErrorObject[] = [];
    if (isSummary(error))
      for (let last = groups.at(-1); last?.errors.every((each) => isBelow(each, error)); last = groups.at(-1)) {
        below.unshift(...last.errors);
        groups.pop();
      }
    groups.push({ summary: isSummary(error) ? error : undefined, errors: [...below, error] });
  }
  return groups;
}

/** The errors of the branch that `error` belongs to. */
export function branchOf(error: ErrorObject, { summary, errors }: ErrorGroup): ErrorObject[] {
  if (!summary) return [error];
  const [branch = ''] = error.schemaPath.slice(summary.schemaPath.length + 1).split('/');
  return errors.filter(({ schemaPath }) => schemaPath.startsWith(`${summary.schemaPath}/${branch}/`));
}
