import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { SvcError } from '../../errors/errors.js';
import { invalidFields } from '../../errors/invalid-field.js';
import { formats } from '../formats.js';
import { problemsIn, type Problem } from './problem.js';
import type { JsonSchema } from '../schema.js';
import { textLengths } from './text-length.js';

const options: Options = {
  strict: true,
  allowUnionTypes: true,
  // `required` inside oneOf refers to properties of the enclosing object.
  strictRequired: false,
  strictTypes: false,
  useDefaults: true,
  coerceTypes: false,
  allErrors: false,
  ownProperties: true,
  // Errors include the failed schema, which their message needs.
  verbose: true,
  formats: { ...formats },
};

/** Compiles schemas on first use: compiling 228 at start takes a second (measured). */
function validators(withOptions: Options): (schema: JsonSchema) => ValidateFunction {
  const compiler = new Ajv2020(withOptions);
  for (const { keyword } of textLengths) compiler.removeKeyword(String(keyword));
  for (const definition of textLengths) compiler.addKeyword(definition);
  const compiled = new WeakMap<JsonSchema, ValidateFunction>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known) return known;
    const made = compiler.compile(schema);
    compiled.set(schema, made);
    return made;
  };
}

const validatorOf = validators(options);

/** Finds every invalid field, for values that are known to be invalid and small. */
const thoroughValidatorOf = validators({ ...options, allErrors: true });

/**
 * The largest value that is searched for all of its problems. A larger, hostile value costs no more than finding its
 * first problem.
 */
const searchable = { values: 2_000, characters: 100_000 };

function isSearchable(root: unknown): boolean {
  const budget = { ...searchable };
  const open = [root];
  while (open.length > 0) {
    const next = open.pop();
    budget.values -= 1;
    if (typeof next === 'string') budget.characters -= next.length;
    if (typeof next === 'object' && next !== null) {
      const values: readonly unknown[] = Object.values(next);
      if (values.length > budget.values) return false;
      for (const name of Object.keys(next)) budget.characters -= name.length;
      open.push(...values);
    }
    if (budget.values < 0 || budget.characters < 0) return false;
  }
  return true;
}

/** A value that is a part of a larger one: its list `name` begins with the element `from`. */
interface ListPart {
  readonly name: string;
  readonly from: number;
}

/** The error with the index that its element has in the whole list. */
function inWholeList(error: ErrorObject, { name, from }: ListPart): ErrorObject {
  const [, field, index, ...rest] = error.instancePath.split('/');
  if (field !== name || index === undefined) return error;
  return { ...error, instancePath: ['', field, String(Number(index) + from), ...rest].join('/') };
}

/** @returns the problems of an invalid value; only the first one of a large value */
function problemsOf(
  schema: JsonSchema,
  value: unknown,
  errors: ValidateFunction['errors'],
  part?: ListPart,
): [Problem, ...Problem[]] {
  const validate = isSearchable(value) ? thoroughValidatorOf(schema) : undefined;
  const found = (validate?.(value) === false ? validate.errors : errors) ?? [];
  const [first, ...others] = problemsIn(part ? found.map((error) => inWholeList(error, part)) : found);
  return [first ?? { field: 'body', problem: 'is invalid', nextStep: 'Correct the input.', isWhole: true }, ...others];
}

/**
 * Checks `value` against `schema` and fills defaults in, in place.
 * @param part if the value is a part of a larger one
 * @returns the refusal `invalid_input` naming the invalid fields, or undefined if the value is valid
 */
export function inputProblem(schema: JsonSchema, value: unknown, part?: ListPart): SvcError | undefined {
  const validate = validatorOf(schema);
  return validate(value) ? undefined : invalidFields(problemsOf(schema, value, validate.errors, part));
}

/** Checks a handler's reply against its schema, in tests and development. @returns the problem, or undefined */
export function replyProblem(schema: JsonSchema, value: unknown): string | undefined {
  const validate = validatorOf(schema);
  if (validate(value)) return undefined;
  const [{ field, problem }] = problemsOf(schema, value, validate.errors);
  return `${field} ${problem}`;
}
