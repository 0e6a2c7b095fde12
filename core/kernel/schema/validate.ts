import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { refusalOf } from '../errors/common.js';
import type { SvcError } from '../errors/errors.js';
import { formats } from './formats.js';
import { problemIn } from './problem.js';
import type { JsonSchema } from './schema.js';

const compiler = new Ajv2020({
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
});

const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/** Compiles schemas on first use: compiling 228 at start takes a second (measured). */
function validatorOf(schema: JsonSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const made = compiler.compile(schema);
  compiled.set(schema, made);
  return made;
}

/**
 * Checks `value` against `schema` and fills defaults in, in place.
 * @returns the refusal `invalid_input` naming the invalid field, or undefined if the value is valid
 */
export function inputProblem(schema: JsonSchema, value: unknown): SvcError | undefined {
  const validate = validatorOf(schema);
  if (validate(value)) return undefined;
  const { field, problem } = problemIn(validate.errors ?? []);
  return refusalOf.invalid_input({ field, problem, details: { field } });
}

/** Checks a handler's reply against its schema, in tests and development. @returns the problem, or undefined */
export function replyProblem(schema: JsonSchema, value: unknown): string | undefined {
  const validate = validatorOf(schema);
  if (validate(value)) return undefined;
  const { field, problem } = problemIn(validate.errors ?? []);
  return `${field} ${problem}`;
}
