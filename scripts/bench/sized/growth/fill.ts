import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { nameId, valueKey } from '#plugins/audience/contacts/value-key.js';

/** Contacts per statement. */
const perStatement = 20_000;

const digits =
  '(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';
/** The numbers from the first `?` on, below the second. */
const numbers = `(SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d + ? AS n
  FROM ${digits} a, ${digits} b, ${digits} c, ${digits} e, ${digits} f HAVING n < ?) x`;

/** The number multiplied by a prime, so that what one in a hundred has is not what every tenth of another has. */
const spread = (stride: number, of: number): string => `((x.n * ${stride} + x.n DIV 7) % ${of})`;
const id = "UNHEX(CONCAT('0190', LPAD(HEX(x.n * 30000), 8, '0'), '70008000', LPAD(HEX(x.n), 12, '0')))";
const address = "CONCAT('person', x.n, '@example', x.n % 97, '.net')";
const digest = `UNHEX(SHA2(${address}, 256))`;
const at = "TIMESTAMP('2025-01-01') + INTERVAL x.n SECOND";

/** The people of the fixed segments: `person` is one of them, `hundred` a hundred. */
const properties: readonly { name: string; value: string; where: string }[] = [
  ...Array.from({ length: 10 }, (_, plan) => ({
    name: 'plan',
    value: hex(valueKey(`plan-${plan}`)),
    where: `${spread(13, 10)} = ${plan}`,
  })),
  { name: 'pilot', value: hex(valueKey(true)), where: `${spread(31, 100)} = 0` },
  { name: 'hundred', value: hex(valueKey(true)), where: 'x.n < 1000 AND x.n % 10 = 0' },
  { name: 'person', value: hex(valueKey(true)), where: 'x.n = 77' },
];

function hex(bytes: Buffer): string {
  return `X'${bytes.toString('hex')}'`;
}

/**
 * Creates the contacts from number `from` to `to`: each has an address, one of ten plans and perhaps a number. One in
 * two has granted `news` by email, one in twenty has revoked it, one in a hundred granted `alerts` by text and has the
 * property `pilot`, and the addresses of one in a hundred are suppressed.
 */
export async function fillContacts(
  db: Session,
  environmentId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const environment = hex(idBytes(environmentId));
  const insert = async (table: string, values: Readonly<Record<string, string>>, where = 'TRUE'): Promise<void> => {
    for (let start = from; start < to; start += perStatement)
      await db.run(
        `INSERT INTO ${table} (${Object.keys(values).join(', ')}) SELECT ${Object.values(values).join(', ')} FROM ${numbers} WHERE ${where}`,
        [start, Math.min(to, start + perStatement)],
      );
  };
  const owner = { environment_id: environment };
  await insert('audience_contact', {
    ...{ id, ...owner, external_id: "CONCAT('customer-', x.n)", email: address, email_key: address },
    ...{ email_digest: digest, phone: "IF(x.n % 2 = 0, CONCAT('+49151', 20000000 + x.n), NULL)" },
    phone_digest: "IF(x.n % 2 = 0, UNHEX(SHA2(CONCAT('+49151', 20000000 + x.n), 256)), NULL)",
    ...{ first_name: "CONCAT('Ada', x.n % 1009)", last_name: "CONCAT('Lovelace', x.n % 5003)" },
    ...{ locale: `IF(${spread(7, 5)} = 0, 'de', 'en')`, properties: "'{}'", created_at: at, updated_at: at },
  });
  for (const { name, value, where } of properties)
    await insert('audience_property', { contact_id: id, key_id: hex(nameId(environmentId, name)), value }, where);
  const consent = { contact_id: id, ...owner, since: at, record_id: id };
  const news = { ...consent, channel: "'email'", topic: "'news'" };
  await insert('audience_consent', { ...news, state: "'granted'" }, `${spread(17, 100)} < 50`);
  await insert('audience_consent', { ...news, state: "'revoked'" }, `${spread(17, 100)} BETWEEN 50 AND 54`);
  const alerts = { ...consent, channel: "'sms'", topic: "'alerts'", state: "'granted'" };
  await insert('audience_consent', alerts, `x.n % 2 = 0 AND ${spread(19, 50)} = 0`);
  await insert(
    'audience_suppression',
    {
      ...{ id, ...owner, channel: "'email'", address, address_digest: digest, reason: "'bounce'" },
      ...{ active: '1', created_at: at },
    },
    `${spread(23, 100)} = 0`,
  );
  await insert(
    'audience_event_tally',
    { contact_id: id, name_id: hex(nameId(environmentId, 'order.placed')), count: '1 + x.n % 9', last_at: at },
    `${spread(29, 5)} = 0`,
  );
  await insert(
    'audience_message_tally',
    { contact_id: id, channel: "'email'", ...owner, last_sent_at: at },
    `${spread(37, 10)} < 3`,
  );
  await db.rows(
    'ANALYZE TABLE audience_contact, audience_property, audience_consent, audience_suppression, audience_event_tally, audience_message_tally',
  );
}
