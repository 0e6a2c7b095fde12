import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import type { Contacts } from '../ports.js';
import { contacts } from '../tables/contact.js';
import { parseProperties } from './present.js';

/** Provides the port `contacts`. */
export const makeContacts = ({ db }: Pick<Context, 'db'>): Contacts => ({
  async facts(environmentId, contactIds) {
    if (contactIds.length === 0) return new Map();
    const rows = await db.rows<object>(
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
});
