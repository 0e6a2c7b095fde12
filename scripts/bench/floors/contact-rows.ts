import { randomBytes } from 'node:crypto';
import type { Pool, RowDataPacket } from 'mysql2/promise';
import { type SqlValue, insertInto, joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';

/** A contact as a call sends it. */
export interface Person {
  externalId: string;
  email: string;
  firstName: string;
  lastName: string;
  properties?: Record<string, string | number | boolean>;
}

/** Never reset, so that every import and upsert of a run creates new contacts. */
let made = 0;

/** New contacts. @param rich whether they have ten properties: texts, numbers and booleans */
export function people(count: number, rich: boolean): Person[] {
  return Array.from({ length: count }, () => {
    const index = (made += 1);
    const value = (key: number): string | number | boolean =>
      key % 3 === 0 ? `value ${(index * 7 + key) % 100}` : key % 3 === 1 ? index * key : index % 2 === 0;
    const properties = Object.fromEntries(Array.from({ length: 10 }, (_, key) => [`property ${key}`, value(key)]));
    const person = { externalId: `customer-${index}`, email: `person.${index}@example.com`, firstName: 'Ada' };
    return { ...person, lastName: `Lovelace ${index}`, ...(rich ? { properties } : {}) };
  });
}

/** The id of the environment of the bench's keys. */
export async function benchEnvironment(database: Pool): Promise<Buffer> {
  const [[row]] = await database.query<(RowDataPacket & { environment_id: Buffer })[]>(
    "SELECT environment_id FROM developers_key WHERE name = 'Bench 0'",
  );
  if (!row) throw new Error('The bench has no keys yet.');
  return row.environment_id;
}

type Row = Record<string, SqlValue>;

const eventOf = (environment: Buffer, type: string, person: Buffer, data: unknown, now: Date): Row => ({
  id: idBytes(newId()),
  environment_id: environment,
  type: Buffer.from(type),
  activity_id: null,
  subject_type: Buffer.from('contact'),
  subject_id: Buffer.from(newId()),
  person_id: person,
  data: JSON.stringify(data),
  pending: null,
  created_at: now,
});

/** Inserts the rows that svc writes for new contacts, without computing digests and index keys. */
export function contactStatements(environment: Buffer, persons: readonly Person[], consent: boolean): Statement[] {
  const now = new Date();
  const rows = persons.map((person) => ({ person, id: idBytes(newId()), record: idBytes(newId()) }));
  const contacts = rows.map(({ person, id }) => ({
    id,
    environment_id: environment,
    external_id: Buffer.from(person.externalId),
    email: person.email,
    email_key: Buffer.from(person.email),
    email_digest: randomBytes(32),
    phone: null,
    phone_digest: null,
    first_name: person.firstName,
    last_name: person.lastName,
    locale: null,
    time_zone: null,
    properties: JSON.stringify(person.properties ?? {}),
    created_at: now,
    updated_at: now,
  }));
  const properties = rows.flatMap(({ person, id }) =>
    Object.values(person.properties ?? {}).map((value, key) => ({
      contact_id: id,
      key_id: keyIds[key] ?? null,
      value: Buffer.from(String(value)),
    })),
  );
  const place = { channel: Buffer.from('email'), topic: Buffer.from('bench'), state: Buffer.from('granted') };
  const records = rows.map(({ id, record }) => ({
    id: record,
    environment_id: environment,
    contact_id: id,
    ...place,
    ordinal: 1,
    effective: 1,
    source: 'trade fair',
    wording: null,
    given_at: now,
    recorded_at: now,
    actor_kind: Buffer.from('system'),
    actor_id: Buffer.from('system'),
    actor_label: 'Import',
  }));
  const currentConsents = rows.map(({ id, record }) => ({
    contact_id: id,
    ...place,
    environment_id: environment,
    since: now,
    record_id: record,
  }));
  const events = rows.flatMap(({ person, id }) => [
    eventOf(environment, 'audience.contact.created', id, { contact: { ...person, createdAt: now } }, now),
    ...(consent ? [eventOf(environment, 'audience.consent.granted', id, { consent: { ...place, at: now } }, now)] : []),
  ]);
  return [
    insertInto('audience_contact', contacts),
    ...(properties.length > 0 ? [insertInto('audience_property', properties)] : []),
    ...(consent
      ? [insertInto('audience_consent_record', records), insertInto('audience_consent', currentConsents)]
      : []),
    insertInto('svc_event', events),
  ];
}

const keyIds = Array.from({ length: 10 }, () => randomBytes(8));

/** Commits statements in one round trip. */
export async function commit(database: Pool, statements: readonly Statement[]): Promise<void> {
  const { sql, parameters } = joined([
    { sql: 'START TRANSACTION', parameters: [] },
    ...statements,
    { sql: 'COMMIT', parameters: [] },
  ]);
  await database.query(sql, [...parameters]);
}
