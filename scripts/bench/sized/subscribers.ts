import { benchEnvironment } from '../floors/contact-rows.js';
import type { Stage } from '../stage.js';

const contactsAtOnce = 20_000;

/**
 * Contacts that granted the topic bench on a channel, inserted as rows: each has an address and a German mobile number.
 */
export async function addSubscribers({ database }: Stage, channel: 'email' | 'sms', count: number): Promise<void> {
  const environment = await benchEnvironment(database);
  for (let from = 0; from < count; from += contactsAtOnce) {
    const numbers = `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${Math.min(count, from + contactsAtOnce)})`;
    const id = "UNHEX(CONCAT('01900000', LPAD(HEX(i), 8, '0'), LEFT(SHA2(i, 256), 16)))";
    await database.query(`SET SESSION max_recursive_iterations = ${contactsAtOnce}`).catch(() => undefined);
    await database.query(
      `INSERT INTO audience_contact (id, environment_id, email, email_key, email_digest, phone, phone_digest, first_name, properties, created_at, updated_at)
       ${numbers} SELECT ${id}, ?, CONCAT('person.', i, '@example.com'), CONCAT('person.', i, '@example.com'),
         UNHEX(SHA2(CONCAT('digest', i), 256)), CONCAT('+49151', 23450000 + i), UNHEX(SHA2(CONCAT('number', i), 256)),
         'Ada', '{"plan":"pro"}', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM n`,
      [environment],
    );
    await database.query(
      `INSERT INTO audience_consent (contact_id, channel, topic, environment_id, state, since, record_id)
       ${numbers} SELECT ${id}, '${channel}', 'bench', ?, 'granted', UTC_TIMESTAMP(3), ${id} FROM n`,
      [environment],
    );
  }
}
