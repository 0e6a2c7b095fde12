import type { Database } from '#core/runtime/database/session.js';

/** The numbers from 0 to `count` - 1 as a derived table `numbers (i)`; at most 100,000. */
export function numbers(count: number): string {
  const digit = Array.from({ length: 10 }, (_, each) => `SELECT ${each} AS n`).join(' UNION ALL ');
  const places = [1, 10, 100, 1_000, 10_000];
  const tables = places.map((place) => `(SELECT n * ${place} AS n FROM (${digit}) d) p${place}`);
  const sum = places.map((place) => `p${place}.n`).join(' + ');
  return `(SELECT all_of.i FROM (SELECT ${sum} AS i FROM ${tables.join(', ')}) all_of WHERE all_of.i < ${count}) numbers`;
}

/**
 * Contacts that have granted a topic by email, inserted as rows: `c<number>@<domain>`, their ids in the order of their
 * numbers.
 * @param environmentId an SQL expression
 */
export async function insertSubscribers(
  db: Pick<Database, 'run'>,
  environmentId: string,
  { count, topic, domain }: { count: number; topic: string; domain: string },
): Promise<void> {
  const id = `UNHEX(CONCAT('01900000', LPAD(HEX(i), 8, '0'), LEFT(SHA2(CONCAT(i, '${domain}'), 256), 16)))`;
  const address = `CONCAT('c', i, '@${domain}')`;
  await db.run(
    `INSERT INTO audience_contact (id, environment_id, email, email_key, email_digest, properties, created_at, updated_at)
     SELECT ${id}, ${environmentId}, ${address}, ${address}, UNHEX(SHA2(${address}, 256)), '{}', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)
     FROM ${numbers(count)}`,
  );
  await db.run(
    `INSERT INTO audience_consent (contact_id, channel, topic, environment_id, state, since, record_id)
     SELECT ${id}, 'email', '${topic}', ${environmentId}, 'granted', UTC_TIMESTAMP(3), ${id} FROM ${numbers(count)}`,
  );
}
