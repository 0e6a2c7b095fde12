import type { PropertyValue } from '#plugins/audience/contacts/value-key.js';
import { days } from '#test/support/clock.js';
import type { Person } from './people.js';

/** A definition as a test sends it. */
export type Definition =
  { all: Definition[] } | { any: Definition[] } | { not: Definition } | { field: string; op: string; value?: unknown };

type Value = PropertyValue | Date | null;

/** A person's value of a field; null when there is none. */
function valueAt(person: Person, field: string): Value {
  if (field === 'email') return person.email?.toLowerCase() ?? null;
  if (field === 'phone') return person.phone;
  if (field === 'locale') return person.locale;
  if (field === 'createdAt') return person.createdAt;
  if (field === 'message.email.lastSentAt') return person.lastSentAt;
  const rest = field.slice(field.indexOf('.') + 1);
  if (field.startsWith('properties.')) return person.properties[rest] ?? null;
  if (field.startsWith('consent.')) return person.consents[rest.includes('.') ? rest : `email.${rest}`] ?? null;
  const name = rest.slice(0, rest.lastIndexOf('.'));
  const tally = person.events[name];
  return rest.endsWith('.count') ? (tally?.count ?? 0) : (tally?.lastAt ?? null);
}

const looksLikeDateTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text);

/** A value with its kind, in a comparable form. Values of different kinds never compare. */
function comparable(value: unknown): { kind: string; value: number | Buffer } {
  if (value instanceof Date) return { kind: 'time', value: value.getTime() };
  if (typeof value === 'boolean') return { kind: 'boolean', value: Number(value) };
  if (typeof value === 'number') return { kind: 'number', value };
  const text = String(value);
  return looksLikeDateTime(text)
    ? { kind: 'time', value: Date.parse(text) }
    : { kind: 'text', value: Buffer.from(text) };
}

/** Negative, zero or positive; undefined when the values do not compare. */
function order(a: unknown, b: unknown): number | undefined {
  const [left, right] = [comparable(a), comparable(b)];
  if (left.kind !== right.kind) return undefined;
  if (typeof left.value === 'number' && typeof right.value === 'number') return left.value - right.value;
  return Buffer.isBuffer(left.value) && Buffer.isBuffer(right.value) ? left.value.compare(right.value) : undefined;
}

/** The value of a condition, normalized like the field's values. */
function wanted(field: string, value: unknown): unknown {
  if (field === 'email' && typeof value === 'string') return value.toLowerCase();
  if (field === 'phone' && typeof value === 'string') return value.replaceAll(' ', '');
  return field.startsWith('consent.') && value === true ? 'granted' : value;
}

function passes(person: Person, field: string, op: string, given: unknown, now: Date): boolean {
  const value = valueAt(person, field);
  if (op === 'neq') return !passes(person, field, 'eq', given, now);
  if (op === 'not_exists') return !passes(person, field, 'exists', undefined, now);
  if (op === 'exists') {
    if (field.startsWith('consent.')) return value === 'granted';
    return field.endsWith('.count') ? value !== 0 : value !== null;
  }
  if (op === 'in') return Array.isArray(given) && given.some((each) => passes(person, field, 'eq', each, now));
  if (value === null) return false;
  const compared = order(value, wanted(field, given));
  const isText = typeof value === 'string' && (!looksLikeDateTime(value) || !field.startsWith('properties.'));
  // Parts of locales match in any case.
  const inCase = (text: string): string => (field === 'locale' ? text.toLowerCase() : text);
  switch (op) {
    case 'eq':
      return compared === 0;
    case 'gt':
      return compared !== undefined && compared > 0;
    case 'gte':
      return compared !== undefined && compared >= 0;
    case 'lt':
      return compared !== undefined && compared < 0;
    case 'lte':
      return compared !== undefined && compared <= 0;
    case 'contains':
      return isText && inCase(value).includes(inCase(String(wanted(field, given))));
    case 'starts_with':
      return isText && inCase(value).startsWith(inCase(String(wanted(field, given))));
    case 'within_days': {
      const at = comparable(value);
      const from = now.getTime() - Number(given) * days(1);
      return at.kind === 'time' && typeof at.value === 'number' && at.value >= from && at.value <= now.getTime();
    }
    default:
      throw new Error(`The test knows no operator ${op}.`);
  }
}

/** Whether a definition matches a person: the documented meaning of segments, implemented without SQL. */
export function matches(definition: Definition, person: Person, now: Date): boolean {
  if ('all' in definition) return definition.all.every((each) => matches(each, person, now));
  if ('any' in definition) return definition.any.some((each) => matches(each, person, now));
  if ('not' in definition) return !matches(definition.not, person, now);
  return passes(person, definition.field, definition.op, definition.value, now);
}
