import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { refusalOf } from '../errors/common.js';
import type { SvcError } from '../errors/errors.js';
import { formats, formatWords } from './formats.js';
import { isSchema, type JsonSchema } from './schema.js';

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
  // Errors carry the schema that they missed, for their words.
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
  const error = mostTelling(validate.errors ?? []);
  const { field, problem } = error ? describe(error) : { field: 'body', problem: 'is invalid' };
  return refusalOf.invalid_input({ field, problem, details: { field } });
}

/** What is wrong with a reply, for tests and development: a handler's reply must fit its own schema. */
export function replyProblem(schema: JsonSchema, value: unknown): string | undefined {
  const validate = validatorOf(schema);
  if (validate(value)) return undefined;
  const error = mostTelling(validate.errors ?? []);
  return error ? `${describe(error).field} ${describe(error).problem}` : 'is invalid';
}

/**
 * Alternatives (anyOf) report every branch; the error that got deepest into the value is of the one that was meant. Of two equally
 * deep, the one that sums up says more: “exactly one of” beside “is required”, the bad name beside the pattern that it misses.
 */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const sumsUp = (error: ErrorObject): boolean => error.keyword === 'propertyNames' || alternatives(error).length > 0;
  const telling = errors.filter((error) => sumsUp(error) || !['anyOf', 'oneOf'].includes(error.keyword));
  const rank = (error: ErrorObject): number => 2 * error.instancePath.split('/').length + Number(sumsUp(error));
  return [...(telling.length > 0 ? telling : errors)].sort((a, b) => rank(b) - rank(a))[0];
}

/** The names of an object's `exactlyOneOf` that was missed. */
function alternatives({ keyword, schema }: ErrorObject): string[] {
  const branches: unknown = schema;
  if (keyword !== 'oneOf' || !Array.isArray(branches)) return [];
  return branches
    .filter(isSchema)
    .flatMap(({ required }): string[] => (Array.isArray(required) ? required.filter(isText) : []));
}

const isText = (value: unknown): value is string => typeof value === 'string';

const parameter = (error: ErrorObject, name: string): string => {
  const found: unknown = Reflect.get(error.params, name);
  return Array.isArray(found)
    ? found.join(', ')
    : typeof found === 'string' || typeof found === 'number'
      ? String(found)
      : '';
};

/** The field in the words of the request: `attachments[2].filename`. */
function describe(error: ErrorObject): { field: string; problem: string } {
  const at = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');
  const inside = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const here = at === '' ? 'body' : at;
  switch (error.keyword) {
    case 'required':
      return { field: inside(parameter(error, 'missingProperty')), problem: 'is required' };
    case 'additionalProperties':
      return { field: inside(parameter(error, 'additionalProperty')), problem: 'is not known here' };
    case 'propertyNames':
      return { field: inside(parameter(error, 'propertyName')), problem: 'is not an allowed name' };
    case 'format':
      return { field: here, problem: formatWords[parameter(error, 'format')] ?? 'has the wrong form' };
    case 'enum':
      return { field: here, problem: `must be one of ${parameter(error, 'allowedValues')}` };
    case 'pattern':
      return { field: here, problem: `must match ${parameter(error, 'pattern')}` };
    case 'type':
      return { field: here, problem: `must be of type ${parameter(error, 'type')}` };
    case 'oneOf': {
      const names = alternatives(error);
      const given: unknown = Reflect.get(error.params, 'passingSchemas');
      const second = Array.isArray(given) ? names[Number(given[1])] : undefined;
      const field = inside(second ?? names[0] ?? here);
      return {
        field,
        problem: `${second === undefined ? 'is missing' : 'is too many'}: send exactly one of ${names.join(', ')}`,
      };
    }
    case 'minProperties':
      return { field: here, problem: 'must hold at least one field' };
    default:
      return { field: here, problem: error.message ?? 'is invalid' };
  }
}
