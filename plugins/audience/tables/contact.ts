import { EntitySchema } from 'typeorm';
import {
  digestColumn,
  exactColumn,
  idColumn,
  longTextColumn,
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
    externalId: exactColumn(800, { nullable: true }),
    email: textColumn(254, { nullable: true }),
    emailKey: exactColumn(254, { nullable: true }),
    emailDigest: digestColumn({ nullable: true }),
    phone: exactColumn(16, { nullable: true }),
    phoneDigest: digestColumn({ nullable: true }),
    firstName: textColumn(200, { nullable: true }),
    lastName: textColumn(200, { nullable: true }),
    locale: exactColumn(35, { nullable: true }),
    timeZone: exactColumn(64, { nullable: true }),
    properties: longTextColumn(),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  },
});
