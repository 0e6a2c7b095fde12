import { EntitySchema } from 'typeorm';
import {
  digestColumn,
  exactColumn,
  idColumn,
  longTextColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';

export interface ContactRow {
  id: string;
  environmentId: string;
  externalId: string | null;
  email: string | null;
  /** The address as it is compared: all in lower case. */
  emailKey: string | null;
  /** What suppressions find the address by, also once nothing is left to read it from. */
  emailDigest: Buffer | null;
  /** E.164. */
  phone: string | null;
  phoneDigest: Buffer | null;
  firstName: string | null;
  lastName: string | null;
  locale: string | null;
  timeZone: string | null;
  /** A JSON object of at most 200 texts, numbers and booleans. */
  properties: string;
  createdAt: Date;
  updatedAt: Date;
}

/** What a contact is matched by, strongest first. */
export const identifiers = ['externalId', 'emailKey', 'phone'] as const;
export type Identifier = (typeof identifiers)[number];

export const contacts = new EntitySchema<ContactRow>({
  name: 'audience_contact',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    externalId: nullable(exactColumn(800)),
    email: nullable(textColumn(254)),
    emailKey: nullable(exactColumn(254)),
    emailDigest: nullable(digestColumn()),
    phone: nullable(exactColumn(16)),
    phoneDigest: nullable(digestColumn()),
    firstName: nullable(textColumn(200)),
    lastName: nullable(textColumn(200)),
    locale: nullable(exactColumn(35)),
    timeZone: nullable(exactColumn(64)),
    properties: longTextColumn(),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  },
});
