import { canonicalLocale } from '#core/kernel/schema/place.js';
import { addressKey } from '../contacts/address.js';
import { kindOf, type PropertyValue, type ValueKind } from '../contacts/value-key.js';
import { below, fault, meant, quoted } from './definition-error.js';
import type { Field, Test } from './tree.js';

const most = 100;
const longestText = 500;
const mostDays = 36_500;

const comparing = ['gt', 'gte', 'lt', 'lte'] as const;
const matching = ['contains', 'starts_with'] as const;
export const operators = ['eq', 'neq', ...comparing, ...matching, 'exists', 'not_exists', 'in', 'within_days'] as const;
export type Operator = (typeof operators)[number];

const kindWords: Readonly<Record<ValueKind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  dateTime: 'a date and time with zone, such as 2026-01-31T09:30:00Z',
};

/** What a field's values are; undefined where they may be of any kind. */
function kindIn(field: Field): ValueKind | undefined {
  if (field.of === 'property') return undefined;
  if (field.of === 'event') return field.part === 'count' ? 'number' : 'dateTime';
  return field.of === 'createdAt' || field.of === 'message' ? 'dateTime' : 'text';
}

/** The operators that a field takes. */
function operatorsOf(field: Field): readonly Operator[] {
  const always = ['eq', 'neq', 'in', 'exists', 'not_exists'] as const;
  if (field.of === 'consent') return always;
  const kind = kindIn(field);
  return [
    ...always,
    ...comparing,
    ...(kind === undefined || kind === 'text' ? matching : []),
    ...(kind === undefined || kind === 'dateTime' ? (['within_days'] as const) : []),
  ];
}

/** @throws DefinitionFault at the node’s `op` */
export function operatorOf(op: unknown, field: Field, node: string): Operator {
  const path = below(node, 'op');
  if (typeof op !== 'string') throw fault(path, op === undefined ? 'is missing' : 'must be an operator’s name');
  const operator = operators.find((each) => each === op);
  if (operator === undefined) throw fault(path, `there is no operator ${quoted(op)}${meant(op, operators)}`);
  const taken = operatorsOf(field);
  if (!taken.includes(operator)) throw fault(path, `this field takes ${taken.join(', ')}, not ${operator}`);
  return operator;
}

const isScalar = (value: unknown): value is PropertyValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** One value to compare the field's with, in the field's normal form. */
function comparable(field: Field, value: unknown, path: string): PropertyValue {
  if (value === undefined) throw fault(path, 'is missing');
  if (field.of === 'consent') return consentState(value, path);
  const kind = kindIn(field);
  if (!isScalar(value)) throw fault(path, `must be ${kind ? kindWords[kind] : 'a text, a number, true or false'}`);
  if (typeof value === 'string' && value.length > longestText)
    throw fault(path, `is longer than ${longestText} characters`);
  if (kind === undefined) return typeof value === 'string' ? value.normalize('NFC') : value;
  // The address 2026-01-31T09:30:00Z is a text nonetheless.
  const fits = kind === 'text' ? typeof value === 'string' : kindOf(value) === kind;
  if (!fits) throw fault(path, `must be ${kindWords[kind]}`);
  return typeof value === 'string' ? normalText(field, value) : value;
}

function normalText(field: Field, value: string): string {
  if (field.of === 'email') return addressKey('email', value);
  if (field.of === 'phone') return addressKey('sms', value);
  return field.of === 'locale' ? (canonicalLocale(value) ?? value) : value;
}

/** Where a contact stands; true is short for granted. */
function consentState(value: unknown, path: string): PropertyValue {
  const states = ['granted', 'revoked'];
  if (value === true) return 'granted';
  if (typeof value === 'string' && states.includes(value)) return value;
  const hint = typeof value === 'string' ? meant(value, states) : '';
  throw fault(path, `must be granted or revoked, or true for granted${hint}`);
}

/** A part of a text to look for, in the form in which the field's texts are kept. */
function part(field: Field, value: unknown, path: string): string {
  if (typeof value !== 'string') throw fault(path, value === undefined ? 'is missing' : 'must be a text');
  if (value.length > longestText) throw fault(path, `is longer than ${longestText} characters`);
  const normal = value.normalize('NFC');
  const kept =
    field.of === 'email'
      ? normal.toLowerCase()
      : field.of === 'phone'
        ? normal.replaceAll(/[\s().\-\u00a0]/g, '')
        : normal;
  if (kept === '') throw fault(path, 'must not be empty');
  return kept;
}

function members(field: Field, value: unknown, path: string): PropertyValue[] {
  if (!Array.isArray(value)) throw fault(path, value === undefined ? 'is missing' : 'must be a list');
  const all: readonly unknown[] = value;
  if (all.length === 0) throw fault(path, 'must not be empty');
  if (all.length > most) throw fault(path, `holds ${all.length} values, and takes ${most}`);
  return all.map((each, index) => comparable(field, each, `${path}[${index}]`));
}

function days(value: unknown, path: string): number {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= mostDays;
  if (!fits) throw fault(path, `must be a whole number of days from 1 to ${mostDays}`);
  return value;
}

/**
 * What a leaf asks of its field's value. `neq` and `not_exists` are the contraries of what this answers for `eq` and `exists`.
 * @throws DefinitionFault at the node’s `value`, or at one of its members
 */
export function testOf(field: Field, operator: Operator, value: unknown, node: string): Test {
  const path = below(node, 'value');
  switch (operator) {
    case 'exists':
    case 'not_exists':
      if (value !== undefined) throw fault(path, `is not for ${operator}`);
      // A consent that was revoked is none.
      return field.of === 'consent' ? { op: 'in', values: ['granted'] } : { op: 'exists' };
    case 'in':
      return { op: 'in', values: members(field, value, path) };
    case 'within_days':
      return { op: 'within_days', days: days(value, path) };
    case 'contains':
    case 'starts_with':
      return { op: operator, value: part(field, value, path) };
    case 'eq':
    case 'neq':
      return { op: 'in', values: [comparable(field, value, path)] };
    default:
      return { op: operator, value: ordered(comparable(field, value, path), path) };
  }
}

/** A day, or a time of day that no zone goes with. */
const zoneless = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/i;

function ordered(value: PropertyValue, path: string): PropertyValue {
  if (typeof value === 'boolean')
    throw fault(path, 'must be a text, a number or a date and time: true and false have no order');
  // As a text it would stand before and behind other texts, and match no moment at all.
  if (typeof value === 'string' && zoneless.test(value))
    throw fault(path, 'is a date without time and zone: write the moment, such as 2026-01-31T00:00:00Z');
  return value;
}
