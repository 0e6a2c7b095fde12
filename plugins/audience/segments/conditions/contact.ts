import { idBytes } from '#core/runtime/id.js';
import type { PropertyValue } from '../../contacts/value-key.js';
import type { Comparison, IndexRange, Operand, Predicate } from '../operand.js';
import { isEquality, columnPredicate, startsWith } from '../predicate.js';
import type { Test } from '../tree.js';
import { toDate } from './date.js';

/** Fields that are columns of the contact, with their indexes. */
const columns = {
  email: { column: 'email_key', index: 'email_key' },
  phone: { column: 'phone', index: 'phone' },
  locale: { column: 'locale', index: 'locale' },
  createdAt: { column: 'created_at', index: 'created_at' },
  externalId: { column: 'external_id', index: 'external_id' },
  firstName: { column: 'first_name', index: 'first_name' },
  lastName: { column: 'last_name', index: 'last_name' },
} as const;
type ContactField = keyof typeof columns;

const toBytes = (value: PropertyValue): Buffer => Buffer.from(String(value));

function operandOf(environmentId: string, field: ContactField): Operand {
  const { column, index } = columns[field];
  const range: IndexRange = {
    from: `audience_contact c FORCE INDEX (${index}) WHERE c.environment_id = ?`,
    parameters: [idBytes(environmentId)],
    id: 'c.id',
    // Names are indexed by a prefix, so the ids of one index value are not ordered.
    ordered: field === 'locale' || field === 'createdAt',
  };
  return { key: `contact ${column}`, value: `c.${column}`, row: null, range };
}

/** A comparison of a column of the contact. */
export function contactComparison(environmentId: string, field: ContactField, test: Test, now: Date): Comparison {
  const encode = field === 'createdAt' ? toDate : toBytes;
  const operand = operandOf(environmentId, field);
  const rest = { operand, whenMissing: false, isEquality: isEquality(test) };
  if (test.op === 'starts_with' && (field === 'firstName' || field === 'lastName'))
    return {
      ...rest,
      predicate: { sql: (value) => `${value} LIKE ? ESCAPE '!'`, parameters: [likePrefix(test.value)] },
    };
  if (field === 'locale' && test.op === 'starts_with') return { ...rest, predicate: localePrefix(test.value) };
  if (field === 'locale' && test.op === 'contains') {
    const { sql, parameters } = columnPredicate(test, { encode }, now);
    return { ...rest, predicate: { sql: (value) => sql(lowerCase(value)), parameters } };
  }
  return { ...rest, predicate: columnPredicate(test, { encode }, now) };
}

/** A locale, which is stored as bytes, in lower case. */
const lowerCase = (value: string): string => `LOWER(CONVERT(${value} USING ascii))`;

/**
 * Locales that start with a text in lower case. A locale begins with its language, which is stored in lower case, so
 * that part is a range of the index.
 */
function localePrefix(text: string): Predicate {
  const [language = ''] = text.split('-', 1);
  const ofLanguage = startsWith(Buffer.from(language));
  return {
    sql: (value) => `${ofLanguage.sql(value)} AND LOCATE(?, ${lowerCase(value)}) = 1`,
    parameters: [...ofLanguage.parameters, Buffer.from(text)],
  };
}

/** The LIKE pattern of a prefix, with its wildcards escaped. Names compare by their collation, ignoring case. */
const likePrefix = (text: string): string => `${text.replaceAll(/[!%_]/g, '!$&')}%`;
