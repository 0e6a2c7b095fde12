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
const ids = { next: 1 };
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

/** The kinds of fields, as people choose them. */
export const families = [
  { value: 'properties', text: 'Property' },
  { value: 'consent.email', text: 'Consent by email' },
  { value: 'consent.sms', text: 'Consent by text' },
  { value: 'event.count', text: 'Times that an event happened' },
  { value: 'event.lastAt', text: 'Last time of an event' },
  { value: 'message.email.lastSentAt', text: 'Last received an email' },
  { value: 'email', text: 'Email address' },
  { value: 'phone', text: 'Phone number' },
  { value: 'locale', text: 'Language' },
  { value: 'createdAt', text: 'Became a contact' },
] as const;

/** The kind of a field, and its key, topic or event name. */
export function partsOf(field: string): { family: string; name: string } {
  if (field.startsWith('properties.')) return { family: 'properties', name: field.slice(11) };
  const consent = /^consent\.(?:(email|sms)\.)?(.*)$/.exec(field);
  if (consent) return { family: `consent.${consent[1] ?? 'email'}`, name: consent[2] ?? '' };
  const event = /^event\.(.*)\.(count|lastAt)$/.exec(field);
  if (event) return { family: `event.${event[2] ?? 'count'}`, name: event[1] ?? '' };
  return { family: field, name: '' };
}

export function fieldOf(family: string, name: string): string {
  if (family === 'event.count' || family === 'event.lastAt') return `event.${name}.${family.slice(6)}`;
  return family === 'properties' || family.startsWith('consent.') ? `${family}.${name}` : family;
}

const operatorTexts: Readonly<Record<string, string>> = {
  eq: 'is',
  neq: 'is not',
  in: 'is one of',
  exists: 'is known',
  not_exists: 'is not known',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  contains: 'contains',
  starts_with: 'begins with',
  within_days: 'within the last days',
};
const timeTexts: Readonly<Record<string, string>> = {
  ...operatorTexts,
  gt: 'after',
  lt: 'before',
  exists: 'ever',
  not_exists: 'never',
};

const isTime = (family: string): boolean =>
  family === 'createdAt' || family === 'event.lastAt' || family.startsWith('message.');

/** The operators of a kind of field, in words. @param used one that is offered in any case */
export function operatorsOf(family: string, used?: string): readonly { value: string; text: string }[] {
  const texts = isTime(family) ? timeTexts : operatorTexts;
  const usual = family.startsWith('consent.')
    ? ['eq', 'neq']
    : isTime(family)
      ? ['within_days', 'gt', 'lt', 'exists', 'not_exists']
      : family === 'event.count'
        ? ['gte', 'lte', 'eq', 'gt', 'lt']
        : family === 'properties'
          ? [
              'eq',
              'neq',
              'in',
              'contains',
              'starts_with',
              'gt',
              'gte',
              'lt',
              'lte',
              'within_days',
              'exists',
              'not_exists',
            ]
          : ['eq', 'neq', 'in', 'contains', 'starts_with', 'exists', 'not_exists'];
  const names = used === undefined || usual.includes(used) ? usual : [...usual, used];
  return names.map((value) => ({ value, text: texts[value] ?? value }));
}

/** How a value is typed. */
export function controlOf(family: string, op: string): 'none' | 'days' | 'time' | 'number' | 'state' | 'list' | 'text' {
  if (op === 'exists' || op === 'not_exists') return 'none';
  if (op === 'within_days') return 'days';
  if (family.startsWith('consent.')) return 'state';
  if (op === 'in') return 'list';
  if (isTime(family)) return 'time';
  return family === 'event.count' ? 'number' : 'text';
}
