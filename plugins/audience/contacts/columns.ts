import { idText } from '#core/runtime/id.js';
import type { ContactRow } from '../tables/contact.js';

/** A contact's columns, as plain SQL answers them. */
export interface ContactColumns {
  id: Buffer;
  environment_id: Buffer;
  external_id: Buffer | null;
  email: string | null;
  email_key: Buffer | null;
  email_digest: Buffer | null;
  phone: Buffer | null;
  phone_digest: Buffer | null;
  first_name: string | null;
  last_name: string | null;
  locale: Buffer | null;
  time_zone: Buffer | null;
  properties: string;
  created_at: Date;
  updated_at: Date;
}

const textOf = (bytes: Buffer | null): string | null => (bytes === null ? null : bytes.toString());

/** The contact that they hold. */
export const contactFrom = (row: ContactColumns): ContactRow => ({
  id: idText(row.id),
  environmentId: idText(row.environment_id),
  externalId: textOf(row.external_id),
  email: row.email,
  emailKey: textOf(row.email_key),
  emailDigest: row.email_digest,
  phone: textOf(row.phone),
  phoneDigest: row.phone_digest,
  firstName: row.first_name,
  lastName: row.last_name,
  locale: textOf(row.locale),
  timeZone: textOf(row.time_zone),
  properties: row.properties,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
