import { phoneForms } from '#core/kernel/schema/phone.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';
import { addressKey } from '../contacts/address.js';
import { kindOf, type PropertyValue, type ValueKind } from '../contacts/value-key.js';
import { childPath, definitionError, suggestion, quoted } from './definition-error.js';
import { fieldKindOf, operators, type Operator } from './field-kinds.js';
import type { Field, Test } from './tree.js';

const maxValues = 100;
const maxTextLength = 500;
const maxDays = 36_500;

const kindWords: Readonly<Record<ValueKind, string>> = {
  text: 'a string',
  number: 'a number',
  boolean: 'true or false',
  dateTime: 'a date and time with zone, such as 2026-01-31T09:30:00Z',
};

/** Parses the operator of a condition. @throws DefinitionError at the node's `op` */
export function parseOperator(op: unknown, field: Field, node: string): Operator {
  const path = childPath(node, 'op');
  if (typeof op !== 'string')
    throw definitionError(path, op === undefined ? 'is missing' : 'must be the name of an operator');
  const operator = operators.find((each) => each === op);
  if (operator === undefined)
    throw definitionError(path, `there is no operator ${quoted(op)}${suggestion(op, operators)}`);
  const { operators: supported } = fieldKindOf(field);
  if (!supported.includes(operator))
    throw definitionError(path, `this field takes ${supported.join(', ')}, not ${operator}`);
  return operator;
}

const isScalar = (value: unknown): value is PropertyValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Parses one value to compare with, and normalizes it like the field's values. */
function parseValue(field: Field, value: unknown, path: string): PropertyValue {
  if (value === undefined) throw definitionError(path, 'is missing');
  if (field.of === 'consent') return parseConsentState(value, path);
  const { kind } = fieldKindOf(field);
  if (!isScalar(value))
    throw definitionError(path, `must be ${kind ? kindWords[kind] : 'a string, a number or a boolean'}`);
  if (typeof value === 'string' && value.length > maxTextLength)
    throw definitionError(path, `is longer than ${maxTextLength} characters`);
  if (kind === undefined) return typeof value === 'string' ? value.normalize('NFC') : value;
  // For a text field, a text in the form of a date-time is a text.
  const fits = kind === 'text' ? typeof value === 'string' : kindOf(value) === kind;
  if (!fits) throw definitionError(path, `must be ${kindWords[kind]}`);
  return typeof value === 'string' ? normalizeValue(field, value) : value;
}

/** Contacts' numbers are stored as they were given. */
const allForms = (field: Field, values: PropertyValue[]): PropertyValue[] =>
  field.of === 'phone' ? [...new Set(values.flatMap((value) => phoneForms(String(value))))] : values;

function normalizeValue(field: Field, value: string): string {
  if (field.of === 'email') return addressKey('email', value);
  if (field.of === 'phone') return addressKey('sms', value);
  return field.of === 'locale' ? (canonicalLocale(value) ?? value) : value;
}

/** Parses a consent state; true means granted. */
function parseConsentState(value: unknown, path: string): PropertyValue {
  const states = ['granted', 'revoked'];
  if (value === true) return 'granted';
  if (typeof value === 'string' && states.includes(value)) return value;
  const hint = typeof value === 'string' ? suggestion(value, states) : '';
  throw definitionError(path, `must be granted or revoked, or true for granted${hint}`);
}

/** Parses the value of `contains` or `starts_with`, normalized like the field's values. */
function parsePart(field: Field, value: unknown, path: string): string {
  if (typeof value !== 'string') throw definitionError(path, value === undefined ? 'is missing' : 'must be a string');
  if (value.length > maxTextLength) throw definitionError(path, `is longer than ${maxTextLength} characters`);
  const normal = value.normalize('NFC');
  const kept =
    field.of === 'email' || field.of === 'locale'
      ? normal.toLowerCase()
      : field.of === 'phone'
        ? normal.replaceAll(/[\s().\-\u00a0]/g, '')
        : normal;
  if (kept === '') throw definitionError(path, 'must not be empty');
  return kept;
}

function parseValues(field: Field, value: unknown, path: string): PropertyValue[] {
  if (!Array.isArray(value)) throw definitionError(path, value === undefined ? 'is missing' : 'must be a list');
  const all: readonly unknown[] = value;
  if (all.length === 0) throw definitionError(path, 'must not be empty');
  if (all.length > maxValues) throw definitionError(path, `has ${all.length} values; the maximum is ${maxValues}`);
  return all.map((each, index) => parseValue(field, each, `${path}[${index}]`));
}

function parseDays(value: unknown, path: string): number {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxDays;
  if (!fits) throw definitionError(path, `must be a whole number of days from 1 to ${maxDays}`);
  return value;
}

/**
 * Parses the test of a condition. For `neq` and `not_exists` it returns the test of `eq` and `exists`, for the caller
 * to negate.
 * @throws DefinitionError at the node's `value`, or at one of its members
 */
export function parseTest(field: Field, operator: Operator, value: unknown, node: string): Test {
  const path = childPath(node, 'value');
  switch (operator) {
    case 'exists':
    case 'not_exists':
      if (value !== undefined) throw definitionError(path, `is not allowed with ${operator}`);
      // A revoked consent does not count as existing.
      return field.of === 'consent' ? { op: 'in', values: ['granted'] } : { op: 'exists' };
    case 'in':
      return { op: 'in', values: allForms(field, parseValues(field, value, path)) };
    case 'within_days':
      return { op: 'within_days', days: parseDays(value, path) };
    case 'contains':
    case 'starts_with':
      return { op: operator, value: parsePart(field, value, path) };
    case 'eq':
    case 'neq':
      return { op: 'in', values: allForms(field, [parseValue(field, value, path)]) };
    default:
      return { op: operator, value: requireOrder(parseValue(field, value, path), path) };
  }
}

/** A date, or a date and time without a zone. */
const withoutZone = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/i;

function requireOrder(value: PropertyValue, path: string): PropertyValue {
  if (typeof value === 'boolean')
    throw definitionError(path, 'must be a string, a number or a date and time: booleans have no order');
  // As a text it would never match a date-time.
  if (typeof value === 'string' && withoutZone.test(value))
    throw definitionError(path, 'is a date without time and zone: write a date-time such as 2026-01-31T00:00:00Z');
  return value;
}
