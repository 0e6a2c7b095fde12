import { nameId } from '../../contacts/value-key.js';
import type { Comparison } from '../operand.js';
import { isEquality, columnPredicate } from '../predicate.js';
import type { Test } from '../tree.js';
import { toDate } from './date.js';

const encode = (value: unknown): number => Number(value);

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

/** How often an event was recorded for a contact, or when last. */
export function eventComparison(
  environmentId: string,
  { name, part }: { name: string; part: 'count' | 'lastAt' },
  test: Test,
  now: Date,
): Comparison {
  const id = nameId(environmentId, name);
  const column = part === 'count' ? 'count' : 'last_at';
  const predicate = columnPredicate(test, part === 'count' ? { encode } : { encode: toDate }, now);
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
    isEquality: isEquality(test),
  };
}
