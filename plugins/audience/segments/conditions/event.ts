import { nameId } from '../../contacts/value-key.js';
import type { Comparison } from '../operand.js';
import { columnPredicate, isEquality } from '../predicate.js';
import type { Test } from '../tree.js';
import { toDate } from './date.js';

const encode = (value: unknown): number => Number(value);

/** The largest value of an INT column. */
const maxCount = 2_147_483_647;

const clamp = (value: number): number => Math.min(maxCount + 1, Math.max(-1, value));

/**
 * A test of a count with whole numbers within the column's range, equal in meaning: the database would round other
 * numbers, and differently in an index than in a row.
 */
function wholeNumberTest(test: Test): Test {
  switch (test.op) {
    case 'in':
      return {
        op: 'in',
        values: test.values.filter((value) => Number.isInteger(value) && clamp(Number(value)) === value),
      };
    case 'gt':
    case 'lte':
      return { op: test.op, value: clamp(Math.floor(Number(test.value))) };
    case 'gte':
    case 'lt':
      return { op: test.op, value: clamp(Math.ceil(Number(test.value))) };
    default:
      return test;
  }
}

/** Whether a count of zero passes the test. */
function zeroPasses(test: Test): boolean {
  switch (test.op) {
    case 'in':
      return test.values.includes(0);
    case 'gt':
      return 0 > Number(test.value);
    case 'gte':
      return 0 >= Number(test.value);
    case 'lt':
      return 0 < Number(test.value);
    case 'lte':
      return 0 <= Number(test.value);
    default:
      return false;
  }
}

/** How often an event was recorded for a contact, or when it was last recorded. */
export function eventComparison(
  environmentId: string,
  { name, part }: { name: string; part: 'count' | 'lastAt' },
  test: Test,
  now: Date,
): Comparison {
  const id = nameId(environmentId, name);
  const column = part === 'count' ? 'count' : 'last_at';
  const columnTest = part === 'count' ? wholeNumberTest(test) : test;
  const predicate = columnPredicate(columnTest, part === 'count' ? { encode } : { encode: toDate }, now);
  return {
    operand: {
      key: `event ${part} ${name}`,
      value: `p.\`${column}\``,
      row: (contact) => ({
        sql: `audience_event_tally p WHERE p.contact_id = ${contact} AND p.name_id = ?`,
        parameters: [id],
      }),
      range: {
        from: `audience_event_tally p FORCE INDEX (\`${column}\`) WHERE p.name_id = ?`,
        parameters: [id],
        id: 'p.contact_id',
        ordered: true,
      },
    },
    predicate,
    // No row means that the event was never recorded.
    whenMissing: part === 'count' && zeroPasses(test),
    isEquality: isEquality(columnTest),
  };
}
