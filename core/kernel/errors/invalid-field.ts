import { commonErrors } from './common.js';
import { SvcError } from './errors.js';

/** An invalid field: its path in the request, and the end of a sentence about it: “must be …”. */
interface FieldProblem {
  readonly field: string;
  readonly problem: string;
  /** A sentence; if absent, the problem is repeated. */
  readonly nextStep?: string;
  /** The problem is about the input as a whole. */
  readonly isWhole?: boolean;
}

/** The maximum number of problems that the texts of a refusal list. */
const maxStated = 5;

const asSentence = ({ field, problem, isWhole = false }: FieldProblem): string =>
  `${isWhole ? 'The input' : `The field “${field}”`} ${problem}${problem.endsWith('?') ? '' : '.'}`;

/** The refusal that names all invalid fields. `details.problems` is present only if there are several. */
export function invalidFields(problems: readonly [FieldProblem, ...FieldProblem[]]): SvcError {
  const stated = problems.slice(0, maxStated);
  const steps = stated.map(({ field, problem, nextStep }) => nextStep ?? `Correct “${field}”: it ${problem}.`);
  const more = problems.length > maxStated ? ['details.problems lists the other fields.'] : [];
  const listed = problems.map(({ field, problem }) => ({ field, problem }));
  return new SvcError(
    'invalid_input',
    commonErrors.invalid_input.status,
    stated.map(asSentence).join(' '),
    [...steps, ...more, 'The operation’s input is described at /openapi.json.'].join(' '),
    { field: problems[0].field, ...(problems.length > 1 ? { problems: listed } : {}) },
  );
}

/**
 * The refusal for a field whose rule the schema cannot express. @param problem the end of a sentence about it: “must be
 * …”
 */
export const invalidField = (field: string, problem: string): SvcError => invalidFields([{ field, problem }]);

/**
 * The problem of a call that names nothing to change. @param demand what to send, as an imperative: “send at least one
 * field”
 */
export const nothingToChange = (demand: string): Required<FieldProblem> => ({
  field: 'body',
  problem: `names nothing to change: ${demand}`,
  nextStep: `${demand.slice(0, 1).toUpperCase()}${demand.slice(1)}.`,
  isWhole: true,
});
