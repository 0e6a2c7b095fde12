import { counted } from '#config/counted.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from '#config/nearest.js';
import { nothingToChange } from '../../errors/invalid-field.js';
import { branchOf, groupErrors, type ErrorGroup } from './error-groups.js';
import { formatProblem } from '../formats.js';
import { patternProblems } from '../patterns.js';
import { isSchema, notBlank, phonePattern, productOfLeftOut, propertiesOf } from '../schema.js';

/**
 * An invalid field, by its path in the request (`attachments[2].filename`), what is wrong with it, and what to do about
 * it.
 */
export interface Problem {
  field: string;
  /** The end of a sentence about the field. */
  problem: string;
  /** A sentence. */
  nextStep: string;
  /** The problem is about the input as a whole. Its field is `body`, which some operations also have as a field. */
  isWhole?: boolean;
}

/**
 * Ajv's errors as readable sentences: one for each invalid field. @param most the maximum number of fields to describe
 */
export function problemsIn(errors: readonly ErrorObject[], most = 20): Problem[] {
  const byField = new Map<string, Problem>();
  for (const group of groupErrors(errors)) {
    if (byField.size >= most) break;
    for (const problem of problemsOf(group)) if (!byField.has(problem.field)) byField.set(problem.field, problem);
  }
  return [...byField.values()];
}

/** Of several alternatives, only the branch that was most likely intended is reported. */
function problemsOf(group: ErrorGroup): Problem[] {
  const { summary, errors } = group;
  const error = mostUseful(errors);
  if (!error) return [];
  const isOfBranch = summary !== undefined && summary !== error;
  const isWrongType = error.keyword === 'type' && error.instancePath === summary?.instancePath;
  return isOfBranch && !isWrongType ? problemsIn(branchOf(error, group)) : [describe(error, errors)];
}

/**
 * With alternatives (anyOf), Ajv reports the errors of every branch. The deepest error belongs most likely to the
 * intended branch. At the same depth, a summarizing error comes first (“exactly one of” before “is required”, the
 * invalid name before its pattern), and type errors come last, because the value has the type of another branch.
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

/** Characters of a path that an answer shows: its names come from the caller and may be as long as the body. */
const maxFieldLength = 200;
const shortened = (field: string): string =>
  field.length > maxFieldLength ? `${field.slice(0, maxFieldLength)}…` : field;

const pathOf = ({ instancePath }: ErrorObject): string =>
  instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

function describe(error: ErrorObject, errors: readonly ErrorObject[]): Problem {
  const at = pathOf(error);
  const inside = (name: string): string => shortened(at === '' ? name : `${at}.${name}`);
  const here = at === '' ? 'body' : shortened(at);
  const wrong = (field: string, problem: string): Problem => ({
    field,
    problem,
    nextStep: at === '' ? `Correct the input: it ${problem}.` : `Correct “${field}”: it ${problem}.`,
    ...(at === '' ? { isWhole: true } : {}),
  });
  switch (error.keyword) {
    case 'required': {
      const field = inside(parameter(error, 'missingProperty'));
      return { field, problem: 'is required', nextStep: `Add “${field}”.` };
    }
    case 'additionalProperties':
      return unknownField(error, inside);
    case 'propertyNames': {
      const field = inside(parameter(error, 'propertyName'));
      return { field, problem: 'is not an allowed name', nextStep: `Choose another name for “${field}”.` };
    }
    case 'oneOf': {
      const names = alternatives(error);
      const given: unknown = Reflect.get(error.params, 'passingSchemas');
      const second = Array.isArray(given) ? names[Number(given[1])] : undefined;
      const field = inside(second ?? names[0] ?? here);
      const demand = `send exactly one of ${quoted(names)}`;
      const problem = `${second === undefined ? 'is missing' : 'is one too many'}: ${demand}`;
      return { field, problem, nextStep: sentence(demand) };
    }
    case 'minProperties':
      return { ...fewProperties(error, here), ...(at === '' ? { isWhole: true } : {}) };
    case 'type':
      return wrong(here, formOfNumber(error) ?? `must be of type ${typesAt(error, errors)}`);
    default:
      return wrong(here, problemText(error));
  }
}

/** As many names as a sentence can list. */
const maxListedNames = 20;

function unknownField(error: ErrorObject, inside: (name: string) => string): Problem {
  const name = parameter(error, 'additionalProperty');
  const field = inside(name);
  const product = productOfLeftOut(error.parentSchema ?? {}, name);
  if (product !== undefined)
    return {
      field,
      problem: `needs the product ${product}, which is not enabled in this deployment`,
      nextStep: `Leave “${field}” out, or add ${product} to SVC_PRODUCTS and start the server again.`,
    };
  const known = Object.keys(propertiesOf(error.parentSchema ?? {}));
  const sent: unknown = error.data;
  // A field that was also sent cannot be the intended spelling of another name.
  const guess = nearest(
    name,
    known.filter((each) => !isSchema(sent) || !(each in sent)),
  );
  if (guess !== undefined)
    return {
      field,
      problem: `is not known here: did you mean “${guess}”?`,
      nextStep: `Write “${guess}” instead of “${shortened(name)}”.`,
    };
  const listed = `${quoted(known.slice(0, maxListedNames))}${known.length > maxListedNames ? ', …' : ''}`;
  const fields = known.length === 0 ? 'there are no fields here' : `the fields here are ${listed}`;
  return { field, problem: 'is not known here', nextStep: `Leave “${field}” out; ${fields}.` };
}

/** All types allowed at this place: each branch of an alternative reports its own type. */
function typesAt({ instancePath }: ErrorObject, errors: readonly ErrorObject[]): string {
  const here = errors.filter((error) => error.keyword === 'type' && error.instancePath === instancePath);
  const types = [...new Set(here.flatMap((error) => parameter(error, 'type').split(/, ?/)))];
  const last = types.pop() ?? '';
  return types.length === 0 ? last : `${types.join(', ')} or ${last}`;
}

/** What to send instead of a number, for texts of a known form. For example, amounts are texts. */
function formOfNumber({ data, parentSchema }: ErrorObject): string | undefined {
  const pattern: unknown = parentSchema?.['pattern'];
  return typeof data === 'number' && typeof pattern === 'string' ? patternProblems[pattern] : undefined;
}

function problemText(error: ErrorObject): string {
  const limit = parameter(error, 'limit');
  switch (error.keyword) {
    case 'format':
      return formatProblem(parameter(error, 'format'), error.data);
    case 'enum':
      return `must be one of ${parameter(error, 'allowedValues')}`;
    case 'pattern': {
      const pattern = parameter(error, 'pattern');
      if (pattern === phonePattern) return formatProblem('phone', error.data);
      return pattern === notBlank ? 'must not be blank' : (patternProblems[pattern] ?? `must match ${pattern}`);
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
    case 'maxProperties':
      return `must hold at most ${counted(limit, 'field')}`;
    default:
      return error.message ?? 'is invalid';
  }
}

/**
 * A call that names only what to change (its required fields, if any), but no change. In a field, if the object has
 * required fields and needs one more, the required ones name the thing to change too.
 */
function fewProperties(error: ErrorObject, field: string): Problem {
  const limit = parameter(error, 'limit');
  const named = textsIn(error.parentSchema?.['required']);
  const isWhole = error.instancePath === '';
  if ((isWhole || named.length > 0) && String(named.length + 1) === limit) {
    const beside = named.length > 0 ? ` beside ${quoted(named)}` : '';
    const { problem, nextStep } = nothingToChange(`send at least one field${beside}`);
    return { field, problem, nextStep };
  }
  const count = limit === '1' ? 'one field' : `${limit} fields`;
  return {
    field,
    problem: `must hold at least ${count}`,
    nextStep: `Send at least ${count}${isWhole ? '' : ` in “${field}”`}.`,
  };
}
