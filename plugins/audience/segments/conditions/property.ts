import { kindOf, kindRange, nameId, valueKey, type PropertyValue } from '../../contacts/value-key.js';
import type { Comparison, Predicate } from '../operand.js';
import { always, oneOfValues, between, isEquality, startsWith, daysRange } from '../predicate.js';
import type { Test } from '../tree.js';

/** Values of the same kind on one side of a value: values of different kinds never compare. */
function comparison(op: 'gt' | 'gte' | 'lt' | 'lte', value: PropertyValue): Predicate {
  const { from, to } = kindRange(kindOf(value));
  const key = valueKey(value);
  switch (op) {
    case 'gt':
      return { sql: (column) => `${column} > ? AND ${column} < ?`, parameters: [key, to] };
    case 'gte':
      return between(key, to);
    case 'lt':
      return between(from, key);
    case 'lte':
      return { sql: (column) => `${column} >= ? AND ${column} <= ?`, parameters: [from, key] };
  }
}

/** The index key of a part of a text, even if it has the form of a date-time. */
const textKey = (text: string): Buffer => Buffer.concat([kindRange('text').from, Buffer.from(text)]);

function containing(text: string): Predicate {
  const { from, to } = kindRange('text');
  // From the second byte on: the first is the kind.
  return {
    sql: (column) => `${column} >= ? AND ${column} < ? AND LOCATE(?, ${column}, 2) > 0`,
    parameters: [from, to, Buffer.from(text)],
  };
}

function predicateOf(test: Test, now: Date): Predicate {
  switch (test.op) {
    case 'exists':
      return always;
    case 'in':
      return oneOfValues(test.values.map(valueKey));
    case 'starts_with':
      return startsWith(textKey(test.value));
    case 'contains':
      return containing(test.value);
    case 'within_days': {
      const { from, to } = daysRange(test.days, now);
      const parameters = [valueKey(from.toISOString()), valueKey(to.toISOString())];
      return { sql: (column) => `${column} >= ? AND ${column} <= ?`, parameters };
    }
    default:
      return comparison(test.op, test.value);
  }
}

/** A comparison of a property, through the index of properties. */
export function propertyComparison(environmentId: string, key: string, test: Test, now: Date): Comparison {
  const keyId = nameId(environmentId, key);
  return {
    operand: {
      key: `property ${key}`,
      value: 'p.value',
      row: (id) => ({ sql: `audience_property p WHERE p.contact_id = ${id} AND p.key_id = ?`, parameters: [keyId] }),
      range: {
        from: 'audience_property p FORCE INDEX (value) WHERE p.key_id = ?',
        parameters: [keyId],
        id: 'p.contact_id',
        ordered: true,
      },
    },
    predicate: predicateOf(test, now),
    whenMissing: false,
    isEquality: isEquality(test),
  };
}
