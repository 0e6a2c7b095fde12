import type { ErrorObject } from 'ajv/dist/2020.js';
import { formatProblems } from './formats.js';
import { isSchema, notBlank } from './schema.js';

/** An invalid field, by its path in the request (`attachments[2].filename`), and what is wrong with it. */
export interface Problem {
  field: string;
  problem: string;
}

/** Characters of a path that an answer shows: its names come from the caller and may be as long as the body. */
const maxFieldLength = 200;

/** The most useful of Ajv's errors, as a readable sentence. */
export function problemIn(errors: readonly ErrorObject[]): Problem {
  const error = mostUseful(errors);
  if (!error) return { field: 'body', problem: 'is invalid' };
  const { field, problem } = describe(error, errors);
  return { field: field.length > maxFieldLength ? `${field.slice(0, maxFieldLength)}…` : field, problem };
}

/**
 * With alternatives (anyOf), Ajv reports the errors of every branch. The deepest error belongs most likely to the intended branch. At the
 * same depth, a summarizing error comes first (“exactly one of” before “is required”, the invalid name before its pattern), and type
 * errors come last, because the value has the type of another branch.
 */
function mostUseful(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const isSummary = (error: ErrorObject): boolean =>
    error.keyword === 'propertyNames' || alternatives(error).length > 0;
  const candidates = errors.filter((error) => isSummary(error) || !['anyOf', 'oneOf'].includes(error.keyword));
  const rank = (error: ErrorObject): number =>
    4 * error.instancePath.split('/').length + 2 * Number(isSummary(error)) + Number(error.keyword !== 'type');
  return [...(candidates.length > 0 ? candidates : errors)].sort((a, b) => rank(b) - rank(a))[0];
}

/** The field names of a violated `exactlyOneOf`; empty for other errors. */
function alternatives({ keyword, schema }: ErrorObject): string[] {
  const branches: unknown = schema;
  if (keyword !== 'oneOf' || !Array.isArray(branches)) return [];
  return branches.filter(isSchema).flatMap(({ required }) => textsIn(required));
}

const isText = (value: unknown): value is string => typeof value === 'string';
const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);

const parameter = (error: ErrorObject, name: string): string => {
  const found: unknown = Reflect.get(error.params, name);
  return Array.isArray(found)
    ? found.join(', ')
    : typeof found === 'string' || typeof found === 'number'
      ? String(found)
      : '';
};

const pathOf = ({ instancePath }: ErrorObject): string =>
  instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');

function describe(error: ErrorObject, errors: readonly ErrorObject[]): Problem {
  const at = pathOf(error);
  const inside = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const here = at === '' ? 'body' : at;
  switch (error.keyword) {
    case 'required':
      return { field: inside(parameter(error, 'missingProperty')), problem: 'is required' };
    case 'additionalProperties':
      return { field: inside(parameter(error, 'additionalProperty')), problem: 'is not known here' };
    case 'propertyNames':
      return { field: inside(parameter(error, 'propertyName')), problem: 'is not an allowed name' };
    case 'oneOf': {
      const names = alternatives(error);
      const given: unknown = Reflect.get(error.params, 'passingSchemas');
      const second = Array.isArray(given) ? names[Number(given[1])] : undefined;
      const problem = `${second === undefined ? 'is missing' : 'is too many'}: send exactly one of ${names.join(', ')}`;
      return { field: inside(second ?? names[0] ?? here), problem };
    }
    case 'type':
      return { field: here, problem: `must be of type ${typesAt(error, errors)}` };
    default:
      return { field: here, problem: problemText(error) };
  }
}

/** All types allowed at this place: each branch of an alternative reports its own. */
function typesAt({ instancePath }: ErrorObject, errors: readonly ErrorObject[]): string {
  const here = errors.filter((error) => error.keyword === 'type' && error.instancePath === instancePath);
  const types = [...new Set(here.flatMap((error) => parameter(error, 'type').split(/, ?/)))];
  const last = types.pop() ?? '';
  return types.length === 0 ? last : `${types.join(', ')} or ${last}`;
}

const counted = (limit: string, thing: string): string => `${limit} ${thing}${limit === '1' ? '' : 's'}`;

function problemText(error: ErrorObject): string {
  const limit = parameter(error, 'limit');
  switch (error.keyword) {
    case 'format':
      return formatProblems[parameter(error, 'format')] ?? 'has the wrong form';
    case 'enum':
      return `must be one of ${parameter(error, 'allowedValues')}`;
    case 'pattern': {
      const pattern = parameter(error, 'pattern');
      return pattern === notBlank ? 'must not be blank' : `must match ${pattern}`;
    }
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `must be at least ${counted(limit, 'character')} long`;
    case 'maxLength':
      return `must be at most ${counted(limit, 'character')} long`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'minItems':
      return `must hold at least ${counted(limit, 'item')}`;
    case 'maxItems':
      return `must hold at most ${counted(limit, 'item')}`;
    case 'uniqueItems':
      return `holds the same item twice, at [${parameter(error, 'i')}] and [${parameter(error, 'j')}]`;
    case 'minProperties':
      return fewProperties(error, limit);
    case 'maxProperties':
      return `must hold at most ${counted(limit, 'field')}`;
    default:
      return error.message ?? 'is invalid';
  }
}

/** When an object has required fields and needs one more, the required ones name the thing to change and the others its new values. */
function fewProperties({ parentSchema }: ErrorObject, limit: string): string {
  const named = textsIn(parentSchema?.['required']);
  const isChange = named.length > 0 && String(named.length + 1) === limit;
  return isChange
    ? `names nothing to change: send at least one field beside ${named.join(', ')}`
    : `must hold at least ${limit === '1' ? 'one field' : `${limit} fields`}`;
}
