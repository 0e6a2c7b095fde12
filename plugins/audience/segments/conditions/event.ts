import { nameId } from '../../contacts/value-key.js';
import type { CellTest } from '../operand.js';
import { isPoint, plainPredicate } from '../predicate.js';
import type { Test } from '../tree.js';
import { moment } from './date.js';

const stored = (value: unknown): number => Number(value);

/** Does nobody's zero pass? */
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

/** How often an event happened to a contact, and when last; it is counted as it is recorded. */
export function eventTest(
  environmentId: string,
  { name, part }: { name: string; part: 'count' | 'lastAt' },
  test: Test,
  now: Date,
): CellTest {
  const id = nameId(environmentId, name);
  const column = part === 'count' ? 'count' : 'last_at';
  const predicate = plainPredicate(test, part === 'count' ? { stored } : { stored: moment }, now);
  return {
    cell: {
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
    // Who has no such event has had it no times.
    otherwise: part === 'count' && zeroPasses(test),
    point: isPoint(test),
  };
}
