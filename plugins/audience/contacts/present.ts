import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Contact } from '../resources.js';
import type { ContactRow } from '../tables/contact.js';
import type { PropertyValue } from './value-key.js';

const isPropertyValue = (value: unknown): value is PropertyValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Parses the `properties` column of a contact. */
export function parseProperties(json: string): Record<string, PropertyValue> {
  if (json === '{}') return {};
  const stored: unknown = JSON.parse(json);
  return typeof stored === 'object' && stored !== null
    ? Object.fromEntries(
        Object.entries(stored).filter((entry): entry is [string, PropertyValue] => isPropertyValue(entry[1])),
      )
    : {};
}

/** A contact as it appears in replies and events. */
export const presentContact = (row: ContactRow): ValueOf<typeof Contact> => ({
  id: row.id,
  externalId: row.externalId,
  email: row.email,
  phone: row.phone,
  firstName: row.firstName,
  lastName: row.lastName,
  locale: row.locale,
  timeZone: row.timeZone,
  properties: parseProperties(row.properties),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
