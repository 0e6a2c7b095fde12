import type { Statement } from '#core/runtime/database/statement.js';
import { kindRange, nameId, valueKey } from '#plugins/audience/contacts/value-key.js';
import type { People } from './people.js';

const numbers = kindRange('number');

/** The target segment as hand-written SQL that starts from the condition with the fewest matches. */
function joins({ environmentId }: People): Statement {
  return {
    sql: `FROM audience_property a FORCE INDEX (value)
      STRAIGHT_JOIN audience_property b ON b.contact_id = a.contact_id AND b.key_id = ? AND b.value >= ? AND b.value < ?
      STRAIGHT_JOIN audience_property s ON s.contact_id = a.contact_id AND s.key_id = ? AND s.value >= ? AND s.value < ?
      WHERE a.key_id = ? AND a.value = ?`,
    parameters: [
      ...[nameId(environmentId, 'orders'), valueKey(70), numbers.to],
      ...[nameId(environmentId, 'score'), numbers.from, valueKey(0.6)],
      ...[nameId(environmentId, 'plan'), valueKey('plan-3')],
    ],
  };
}

interface Floors {
  count: Statement;
  page: Statement;
  /**
   * The alternative without a property index: reads the contact's JSON for every contact. Generated columns cannot know
   * the keys in advance.
   */
  json: Statement;
}

export function floorsFor(people: People, limit: number): Floors {
  const { sql, parameters } = joins(people);
  return {
    count: { sql: `SELECT COUNT(*) AS size ${sql}`, parameters },
    page: { sql: `SELECT a.contact_id AS id ${sql} ORDER BY a.contact_id DESC LIMIT ${limit}`, parameters },
    json: {
      sql: `SELECT COUNT(*) AS size FROM audience_contact WHERE environment_id = ? AND JSON_VALUE(properties, '$.plan') = 'plan-3'
        AND JSON_VALUE(properties, '$.orders') >= 70 AND JSON_VALUE(properties, '$.score') < 0.6`,
      parameters: [people.environment],
    },
  };
}
