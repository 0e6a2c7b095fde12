import type { Context } from '#core/kernel/context.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { ContactCounts, Contacts } from '../ports.js';
import { contacts } from '../tables/contact.js';
import { addressKey } from './address.js';
import { parseProperties } from './present.js';
import { setProperties } from './set-properties.js';
import { nameId } from './value-key.js';

/** Provides the port `contactCounts`. */
export const makeContactCounts = ({ db }: Pick<Context, 'db'>): ContactCounts => ({
  async count(environmentId, before) {
    const [row] = await db.rows<{ found: number }>(
      'SELECT COUNT(*) AS found FROM audience_contact WHERE environment_id = ? AND created_at < ?',
      [idBytes(environmentId), before],
    );
    return row?.found ?? 0;
  },
});

/** Provides the port `contacts`. */
export const makeContacts = (context: Context<'audience.contact.updated'>): Contacts => ({
  async facts(environmentId, contactIds) {
    if (contactIds.length === 0) return new Map();
    const rows = await context.db.rows<object>(
      `SELECT ${contacts.columnList()} FROM audience_contact WHERE id IN (?) AND environment_id = ?`,
      [contactIds.map(idBytes), idBytes(environmentId)],
    );
    return new Map(
      rows.map((row) => {
        const { id, email, phone, firstName, lastName, locale, timeZone, properties } = contacts.decode(row);
        return [
          id,
          { id, email, phone, firstName, lastName, locale, timeZone, properties: parseProperties(properties) },
        ];
      }),
    );
  },

  async consents(environmentId, contactIds, topics) {
    if (contactIds.length === 0 || topics.length === 0) return new Map();
    const rows = await context.db.rows<{ contact_id: Buffer; channel: Buffer; topic: Buffer; state: Buffer }>(
      `SELECT contact_id, channel, topic, state FROM audience_consent
       WHERE contact_id IN (?) AND environment_id = ? AND (channel, topic) IN (?)`,
      [
        contactIds.map(idBytes),
        idBytes(environmentId),
        topics.map(({ channel, topic }) => [Buffer.from(channel), Buffer.from(topic)]),
      ],
    );
    const found = new Map<string, Map<string, boolean>>();
    for (const row of rows) {
      const id = idText(row.contact_id);
      const states = found.get(id) ?? new Map<string, boolean>();
      found.set(
        id,
        states.set(`${row.channel.toString()}.${row.topic.toString()}`, row.state.toString() === 'granted'),
      );
    }
    return found;
  },

  async idsByEmail(environmentId, addresses) {
    if (addresses.length === 0) return new Map();
    const keys = addresses.map((address) => [address, addressKey('email', address)] as const);
    const rows = await context.db.rows<{ id: Buffer; email_key: Buffer }>(
      'SELECT id, email_key FROM audience_contact WHERE environment_id = ? AND email_key IN (?)',
      [idBytes(environmentId), keys.map(([, key]) => Buffer.from(key))],
    );
    const byKey = new Map(rows.map((row) => [row.email_key.toString(), idText(row.id)]));
    return new Map(
      keys.flatMap(([address, key]) => {
        const id = byKey.get(key);
        return id === undefined ? [] : [[address, id] as const];
      }),
    );
  },

  async knownProperties(environmentId, names) {
    if (names.length === 0) return new Set();
    const rows = await context.db.rows<{ key_id: Buffer }>(
      names.map(() => '(SELECT key_id FROM audience_property WHERE key_id = ? LIMIT 1)').join(' UNION ALL '),
      names.map((name) => nameId(environmentId, name)),
    );
    return new Set(names.filter((name) => rows.some((row) => row.key_id.equals(nameId(environmentId, name)))));
  },

  async hasRecorded(environmentId, name) {
    const rows = await context.db.rows('SELECT 1 AS found FROM audience_event_tally WHERE name_id = ? LIMIT 1', [
      nameId(environmentId, name),
    ]);
    return rows.length > 0;
  },

  setProperties: (environment, changes) => setProperties(context, environment, changes),
});
