import { below, fault, meant, quoted } from './definition-error.js';
import { fieldOf } from './field.js';
import { not, type Tree } from './tree.js';
import { operatorOf, testOf } from './value.js';

/** Catalog (resources.yaml): how deep a definition may go, its leaves counted, and how many of them it may have. */
export const deepest = 8;
export const mostLeaves = 100;

const kinds = ['all', 'any', 'not', 'field'] as const;
const leafKeys = ['field', 'op', 'value'];

interface Reading {
  leaves: number;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads a definition, every part of it checked.
 * @throws DefinitionFault naming the node at fault
 */
export const parseDefinition = (definition: unknown): Tree => nodeAt(definition, '', 1, { leaves: 0 });

function nodeAt(node: unknown, path: string, depth: number, reading: Reading): Tree {
  if (!isObject(node)) throw fault(path, 'must be an object: {all: […]}, {any: […]}, {not: …} or {field, op, value}');
  if (depth > deepest) throw fault(path, `lies deeper than ${deepest} levels`);
  const keys = Object.keys(node);
  const kind = kinds.find((each) => keys.includes(each));
  if (kind === undefined) {
    const [first] = keys;
    const problem = first === undefined ? 'is empty' : `has no all, any, not or field, but ${quoted(first)}`;
    throw fault(path, `${problem}${first === undefined ? '' : meant(first, kinds)}`);
  }
  const known = kind === 'field' ? leafKeys : [kind];
  const unknown = keys.find((each) => !known.includes(each));
  if (unknown !== undefined) throw fault(below(path, unknown), unknownKey(kind, unknown));
  if (kind === 'field') return leafAt(node, path, reading);
  if (kind === 'not') return not(nodeAt(node['not'], below(path, 'not'), depth + 1, reading));
  const children = node[kind];
  const at = below(path, kind);
  if (!Array.isArray(children)) throw fault(at, 'must be a list of nodes');
  if (children.length === 0) throw fault(at, 'must not be empty');
  return { is: kind, of: children.map((child, index) => nodeAt(child, `${at}[${index}]`, depth + 1, reading)) };
}

const unknownKey = (kind: string, key: string): string =>
  kind === 'field'
    ? `a leaf has field, op and value, and no ${quoted(key)}${meant(key, leafKeys)}`
    : `stands beside ${kind}, which stands alone in its node`;

function leafAt(node: Readonly<Record<string, unknown>>, path: string, reading: Reading): Tree {
  reading.leaves += 1;
  if (reading.leaves > mostLeaves)
    throw fault(path, `is one more than the ${mostLeaves} leaves that a definition takes`);
  const name = node['field'];
  if (typeof name !== 'string') throw fault(below(path, 'field'), 'must be a field’s name');
  const field = fieldOf(name, below(path, 'field'));
  const operator = operatorOf(node['op'], field, path);
  const leaf: Tree = { is: 'leaf', field, test: testOf(field, operator, node['value'], path) };
  return operator === 'neq' || operator === 'not_exists' ? not(leaf) : leaf;
}
