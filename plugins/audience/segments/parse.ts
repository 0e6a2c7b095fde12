import { isRecord } from '#core/runtime/json.js';
import { childPath, definitionError, suggestion, quoted } from './definition-error.js';
import { parseField } from './field.js';
import { not, type Tree } from './tree.js';
import { parseOperator, parseTest } from './value.js';

/** Levels of nesting, conditions included. */
const maxDepth = 8;
const maxConditions = 100;

const kinds = ['all', 'any', 'not', 'field'] as const;
const conditionKeys = ['field', 'op', 'value'];
/** What other query languages call `all` and `any`. By its letters, “and” is most similar to “any”. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['and', 'all'],
  ['$and', 'all'],
  ['or', 'any'],
  ['$or', 'any'],
]);

interface ParseState {
  conditions: number;
}

/**
 * Parses and validates a definition.
 * @throws DefinitionError naming the invalid node
 */
export const parseDefinition = (definition: unknown): Tree => parseNode(definition, '', 1, { conditions: 0 });

function parseNode(node: unknown, path: string, depth: number, state: ParseState): Tree {
  if (!isRecord(node))
    throw definitionError(path, 'must be an object: {all: […]}, {any: […]}, {not: …} or {field, op, value}');
  if (depth > maxDepth) throw definitionError(path, `is nested deeper than ${maxDepth} levels`);
  const keys = Object.keys(node);
  const kind = kinds.find((each) => keys.includes(each));
  if (kind === undefined) {
    const [first] = keys;
    if (first === undefined) throw definitionError(path, 'is empty');
    const meant = otherNames.get(first.toLowerCase());
    const hint = meant === undefined ? suggestion(first, kinds) : ` (did you mean ${meant}?)`;
    throw definitionError(path, `must contain one of all, any, not and field, but contains ${quoted(first)}${hint}`);
  }
  const known = kind === 'field' ? conditionKeys : [kind];
  const unknown = keys.find((each) => !known.includes(each));
  if (unknown !== undefined) throw definitionError(childPath(path, unknown), unknownKey(kind, unknown));
  if (kind === 'field') return parseCondition(node, path, state);
  if (kind === 'not') return not(parseNode(node['not'], childPath(path, 'not'), depth + 1, state));
  const children = node[kind];
  const at = childPath(path, kind);
  if (!Array.isArray(children)) throw definitionError(at, 'must be a list of nodes');
  if (children.length === 0) throw definitionError(at, 'must not be empty');
  return { is: kind, of: children.map((child, index) => parseNode(child, `${at}[${index}]`, depth + 1, state)) };
}

const unknownKey = (kind: string, key: string): string =>
  kind === 'field'
    ? `a condition has field, op and value, not ${quoted(key)}${suggestion(key, conditionKeys)}`
    : `is not allowed beside ${kind}, which must be alone in its node`;

function parseCondition(node: Readonly<Record<string, unknown>>, path: string, state: ParseState): Tree {
  state.conditions += 1;
  if (state.conditions > maxConditions)
    throw definitionError(path, `exceeds the maximum of ${maxConditions} conditions in a definition`);
  const name = node['field'];
  if (typeof name !== 'string') throw definitionError(childPath(path, 'field'), 'must be the name of a field');
  const field = parseField(name, childPath(path, 'field'));
  const operator = parseOperator(node['op'], field, path);
  const condition: Tree = { is: 'condition', field, test: parseTest(field, operator, node['value'], path), path };
  return operator === 'neq' || operator === 'not_exists' ? not(condition) : condition;
}
