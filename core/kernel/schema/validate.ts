import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { refusalOf } from '../errors/common.js';
import type { SvcError } from '../errors/errors.js';
import { formats } from './formats.js';
import { problemIn } from './problem.js';
import type { JsonSchema } from './schema.js';

const compiler = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  // `required` inside oneOf names properties of the object around it.
  strictRequired: false,
  strictTypes: false,
  useDefaults: true,
  coerceTypes: false,
  allErrors: false,
  ownProperties: true,
  // Errors carry the schema that failed, from which their message is made.
  verbose: true,
  formats: { ...formats },
});

const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/** Compiles at first use: 228 schemas at boot would cost a second (measured). */
function validatorOf(schema: JsonSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const made = compiler.compile(schema);
  compiled.set(schema, made);
  return made;
}

/**
 * Checks `value` against `schema` and fills defaults in, in place.
 * @returns the refusal `invalid_input` that names the field at fault, or undefined
 */
export function inputProblem(schema: JsonSchema, value: unknown): SvcError | undefined {
  const validate = validatorOf(schema);
  if (validate(value)) return undefined;
  const { field, problem } = problemIn(validate.errors ?? []);
  return refusalOf.invalid_input({ field, problem, details: { field } });
}

/** What is wrong with a reply, for tests and development: a handler's reply must fit its own schema. */
export function replyProblem(schema: JsonSchema, value: unknown): string | undefined {
  const validate = validatorOf(schema);
  if (validate(value)) return undefined;
  const { field, problem } = problemIn(validate.errors ?? []);
  return `${field} ${problem}`;
}
