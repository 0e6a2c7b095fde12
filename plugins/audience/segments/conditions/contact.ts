import { idBytes } from '#core/runtime/id.js';
import type { PropertyValue } from '../../contacts/value-key.js';
import type { Cell, CellTest, Range } from '../operand.js';
import { isPoint, plainPredicate } from '../predicate.js';
import type { Test } from '../tree.js';
import { moment } from './date.js';

/** Fields that are columns of the contact itself, and the index of each. */
const columns = {
  email: { column: 'email_key', index: 'email_key' },
  phone: { column: 'phone', index: 'phone' },
  locale: { column: 'locale', index: 'locale' },
  createdAt: { column: 'created_at', index: 'created_at' },
  externalId: { column: 'external_id', index: 'external_id' },
  firstName: { column: 'first_name', index: 'first_name' },
  lastName: { column: 'last_name', index: 'last_name' },
} as const;
export type ContactField = keyof typeof columns;

const bytes = (value: PropertyValue): Buffer => Buffer.from(String(value));

function cellOf(environmentId: string, field: ContactField): Cell {
  const { column, index } = columns[field];
  const range: Range = {
    from: `audience_contact c FORCE INDEX (${index}) WHERE c.environment_id = ?`,
    parameters: [idBytes(environmentId)],
    id: 'c.id',
    // Names are indexed by their beginning, behind which ids stand in no order.
    ordered: field === 'locale' || field === 'createdAt',
  };
  return { key: `contact ${column}`, value: `c.${column}`, row: null, range };
}

export function contactTest(environmentId: string, field: ContactField, test: Test, now: Date): CellTest {
  const stored = field === 'createdAt' ? moment : bytes;
  const cell = cellOf(environmentId, field);
  const rest = { cell, otherwise: false, point: isPoint(test) };
  if (test.op === 'starts_with' && (field === 'firstName' || field === 'lastName'))
    return {
      ...rest,
      predicate: { sql: (value) => `${value} LIKE ? ESCAPE '!'`, parameters: [likePrefix(test.value)] },
    };
  return { ...rest, predicate: plainPredicate(test, { stored }, now) };
}

/** What LIKE takes for a beginning: its own signs escaped. Names compare as their collation does, in any case. */
const likePrefix = (text: string): string => `${text.replaceAll(/[!%_]/g, '!$&')}%`;
