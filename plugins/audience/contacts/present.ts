import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Contact } from '../resources.js';
import type { ContactRow } from '../tables/contact.js';
import type { PropertyValue } from './value-key.js';

const isValue = (value: unknown): value is PropertyValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** A contact's properties from their column. */
export function propertiesOf(json: string): Record<string, PropertyValue> {
  if (json === '{}') return {};
  const stored: unknown = JSON.parse(json);
  return typeof stored === 'object' && stored !== null
    ? Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, PropertyValue] => isValue(entry[1])))
    : {};
}

/** A contact as replies and events carry it. */
export const presentContact = (row: ContactRow): ValueOf<typeof Contact> => ({
  id: row.id,
  externalId: row.externalId,
  email: row.email,
  phone: row.phone,
  firstName: row.firstName,
  lastName: row.lastName,
  locale: row.locale,
  timeZone: row.timeZone,
  properties: propertiesOf(row.properties),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
