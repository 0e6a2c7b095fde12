/* A segment's definition as the builder shows it: conditions, and groups of conditions, joined by all, any or none. */

import { readEither, writeEither } from './either.js';

type Row = Readonly<Record<string, unknown>>;

export type Join = 'all' | 'any' | 'none';

export interface Rule {
  readonly is: 'rule';
  readonly id: number;
  readonly field: string;
  readonly op: string;
  /** What is sent; texts of fields that take texts. */
  readonly value: unknown;
  /** Whether a value that looks like a number, true or false matches as such and as a text: `either` of either.ts. */
  readonly either?: true;
}

export interface Group {
  readonly is: 'group';
  readonly id: number;
  readonly join: Join;
  readonly of: readonly (Rule | Group)[];
}

/** Levels of groups that the builder shows. */
const mostLevels = 2;
/** Later than those of rules that the tab has kept. */
const ids = { next: Date.now() };
export const newId = (): number => ids.next++;

export const newRule = (): Rule => ({ is: 'rule', id: newId(), field: 'properties.', op: 'eq', value: '' });

export const newGroup = (of: readonly (Rule | Group)[] = [newRule()], join: Join = 'all'): Group => ({
  is: 'group',
  id: newId(),
  join,
  of,
});

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The definition in the builder's form; undefined if the builder cannot show it. */
export function toBuilder(definition: unknown): Group | undefined {
  const node = readNode(definition, 1);
  if (!node) return undefined;
  return node.is === 'group' ? node : newGroup([node]);
}

function readNode(node: unknown, level: number): Rule | Group | undefined {
  if (!isRow(node)) return undefined;
  const either = readEither(node);
  if (either) return { is: 'rule', id: newId(), ...either, either: true };
  if (typeof node['field'] === 'string' && typeof node['op'] === 'string')
    return { is: 'rule', id: newId(), field: node['field'], op: node['op'], value: node['value'] };
  const negated = isRow(node['not']) && Array.isArray(node['not']['any']) ? node['not']['any'] : undefined;
  const join = Array.isArray(node['all']) ? 'all' : Array.isArray(node['any']) ? 'any' : negated ? 'none' : undefined;
  if (join === undefined || level > mostLevels) return undefined;
  const children: unknown = join === 'none' ? negated : node[join];
  if (!Array.isArray(children)) return undefined;
  const read = children.map((child: unknown) => readNode(child, level + 1));
  const complete = read.filter((child) => child !== undefined);
  return complete.length === read.length ? newGroup(complete, join) : undefined;
}

/** The definition that the operations take. Conditions without a field or value are left out: they are being typed. */
export function toDefinition(node: Rule | Group): Row | undefined {
  if (node.is === 'rule') {
    if (isUnfinished(node)) return undefined;
    const { field, op, value } = node;
    const either = node.either && writeEither(node);
    if (either) return either;
    return op === 'exists' || op === 'not_exists' ? { field, op } : { field, op, value };
  }
  const of = node.of.map(toDefinition).filter((child) => child !== undefined);
  if (of.length === 0) return undefined;
  return node.join === 'none' ? { not: { any: of } } : { [node.join]: of };
}

/** Whether a condition anywhere in it lacks its key, name or value. */
export const hasUnfinished = (node: Rule | Group): boolean =>
  node.is === 'rule' ? isUnfinished(node) : node.of.some(hasUnfinished);

const isUnfinished = ({ field, op, value }: Rule): boolean =>
  /\.$|^(?:event)\.\.|^consent\.[a-z]+\.$/.test(field) ||
  (op !== 'exists' &&
    op !== 'not_exists' &&
    (value === '' || value === undefined || (Array.isArray(value) && value.length === 0)));
