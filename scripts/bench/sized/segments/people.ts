import type { Pool } from 'mysql2/promise';
import { insertInto, type Statement, type SqlValue } from '#core/runtime/database/statement.js';
import { nameId, valueKey, type PropertyValue } from '#plugins/audience/contacts/value-key.js';

/** Contacts with known distributions of values, so that the number of matches of a condition is known. */
export interface People {
  database: Pool;
  environmentId: string;
  environment: Buffer;
  count: number;
  /** When the last one was created. */
  now: Date;
}

const perStatement = 500;
const firstCreatedAt = Date.UTC(2025, 0, 1);
/** Time between two contacts: a million in a year. */
const apartMs = 30_000;

/** Maps whole numbers evenly to 0..1. Each property uses its own `stride`, so that properties are independent. */
const spread = (index: number, stride: number): number => {
  let hash = Math.imul(index ^ stride, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
};

const idOf = (index: number): Buffer => {
  const id = Buffer.alloc(16);
  id.writeUIntBE(firstCreatedAt + index * apartMs, 0, 6);
  id.writeUInt16BE(0x7000, 6);
  id.writeUInt32BE(0x80000000 + (index & 0xffff), 8);
  id.writeUInt32BE(index, 12);
  return id;
};

/** Ten properties: `plan` has ten values, `low` and `high` are never both small. */
export function propertiesOf(index: number): Record<string, PropertyValue> {
  const low = spread(index, 31);
  return {
    city: `City ${Math.floor(spread(index, 3) * 1000)}`,
    company: `Company ${index}`,
    high: 1 - low,
    low,
    orders: Math.floor(spread(index, 7) * 100),
    plan: `plan-${Math.floor(spread(index, 11) * 10)}`,
    rank: index,
    score: spread(index, 13),
    seenAt: new Date(firstCreatedAt + Math.floor(spread(index, 17) * 365) * 86_400_000).toISOString(),
    vip: spread(index, 19) < 0.01,
  };
}

const names = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Katherine', 'Linus', 'Margaret', 'Niklaus'];

function contactRow({ environment }: People, index: number): Record<string, SqlValue> {
  const at = new Date(firstCreatedAt + index * apartMs);
  const email = `person${index}@example${index % 97}.com`;
  return {
    id: idOf(index),
    environment_id: environment,
    external_id: Buffer.from(`customer-${index}`),
    email,
    email_key: Buffer.from(email),
    phone: index % 2 === 0 ? Buffer.from(`+4915${String(100_000_000 + index)}`) : null,
    first_name: `${names[index % 10] ?? ''}${index % 1009}`,
    last_name: `Lovelace${index % 5003}`,
    locale: Buffer.from(spread(index, 23) < 0.2 ? 'de' : 'en'),
    time_zone: null,
    properties: JSON.stringify(propertiesOf(index)),
    created_at: at,
    updated_at: at,
  };
}

type Rows = (people: People, index: number) => Record<string, SqlValue>[];

const propertyRows: Rows = ({ environmentId }, index) =>
  Object.entries(propertiesOf(index))
    .map(([name, value]) => ({ contact_id: idOf(index), key_id: keyId(environmentId, name), value: valueKey(value) }))
    .sort((a, b) => a.key_id.compare(b.key_id));

const known = new Map<string, Buffer>();
function keyId(environmentId: string, name: string): Buffer {
  const key = `${environmentId} ${name}`;
  const found = known.get(key) ?? nameId(environmentId, name);
  known.set(key, found);
  return found;
}

const topicRows = ({ environment, now }: People): Record<string, SqlValue>[] =>
  ['news', 'alerts'].map((topic, index) => ({
    id: idOf(index),
    environment_id: environment,
    topic: Buffer.from(topic),
    name: topic,
    description: null,
    channels: '["email", "sms"]',
    is_public: 1,
    archived_at: null,
    created_at: now,
    updated_at: now,
  }));

/** Half of the contacts consent to news by email, one in a hundred to alerts by sms. */
const consentRows: Rows = ({ environment }, index) => {
  const id = idOf(index);
  const row = { contact_id: id, environment_id: environment, since: new Date(firstCreatedAt), record_id: id };
  const given = { ...row, state: Buffer.from('granted') };
  return [
    ...(spread(index, 37) < 0.5 ? [{ ...given, channel: Buffer.from('email'), topic: Buffer.from('news') }] : []),
    ...(spread(index, 41) < 0.01 ? [{ ...given, channel: Buffer.from('sms'), topic: Buffer.from('alerts') }] : []),
  ];
};

/** One in five contacts has ordered, up to ten times. */
const eventRows: Rows = ({ environmentId }, index) =>
  spread(index, 43) >= 0.2
    ? []
    : [
        {
          contact_id: idOf(index),
          name_id: keyId(environmentId, 'order.placed'),
          count: 1 + Math.floor(spread(index, 47) * 10),
          last_at: new Date(firstCreatedAt + Math.floor(spread(index, 53) * 365) * 86_400_000),
        },
      ];

const messageRows: Rows = ({ environment }, index) =>
  spread(index, 59) >= 0.3
    ? []
    : [
        {
          contact_id: idOf(index),
          channel: Buffer.from('email'),
          environment_id: environment,
          last_sent_at: new Date(firstCreatedAt + Math.floor(spread(index, 61) * 365) * 86_400_000),
        },
      ];

const tables: readonly { table: string; rows: Rows }[] = [
  { table: 'audience_contact', rows: (people, index) => [contactRow(people, index)] },
  { table: 'audience_property', rows: propertyRows },
  { table: 'audience_consent', rows: consentRows },
  { table: 'audience_event_tally', rows: eventRows },
  { table: 'audience_message_tally', rows: messageRows },
];

function statementsFor(people: People, from: number): Statement[] {
  const indexes = Array.from({ length: Math.min(perStatement, people.count - from) }, (_, at) => from + at);
  return tables.flatMap(({ table, rows }) => {
    const all = indexes.flatMap((index) => rows(people, index));
    return all.length === 0 ? [] : [insertInto(table, all)];
  });
}

const valueIndex = 'KEY value (key_id, value, contact_id)';

/** Inserts the contacts into the tables. The largest index is built once at the end, which is faster. */
export async function loadPeople(people: Omit<People, 'now'>, say: (line: string) => void): Promise<People> {
  const { database, count } = people;
  const all: People = { ...people, now: new Date(firstCreatedAt + count * apartMs) };
  await database.query('ALTER TABLE audience_property DROP KEY value');
  const topics = insertInto('audience_topic', topicRows(all));
  await database.query(topics.sql, [...topics.parameters]);
  let next = 0;
  const lane = async (): Promise<void> => {
    const connection = await database.getConnection();
    await connection.query('SET unique_checks = 0, autocommit = 0');
    for (let from = next; from < count; from = next) {
      next = from + perStatement;
      for (const { sql, parameters } of statementsFor(all, from)) await connection.query(sql, [...parameters]);
      await connection.query('COMMIT');
      if (from % 100_000 === 0) say(`${from.toLocaleString('en')} contacts written`);
    }
    await connection.query('SET unique_checks = 1, autocommit = 1');
    connection.release();
  };
  await Promise.all([lane(), lane()]);
  await database.query(`ALTER TABLE audience_property ADD ${valueIndex}`);
  await database.query(`ANALYZE TABLE ${tables.map(({ table }) => table).join(', ')}`);
  return all;
}
