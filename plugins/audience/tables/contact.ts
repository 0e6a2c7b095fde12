import { owned } from '#core/kernel/environment/owned.js';
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
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const contacts = owned(
  defineTable('audience_contact', {
    id: idColumn(),
    environmentId: uuidColumn(),
    externalId: nullable(exactColumn(800)),
    email: nullable(textColumn(254)),
    /** The address as it is compared: lower case. */
    emailKey: nullable(exactColumn(254)),
    /** Keyed digest of `emailKey`, which suppressions are found by. */
    emailDigest: nullable(digestColumn()),
    /** E.164. */
    phone: nullable(exactColumn(16)),
    phoneDigest: nullable(digestColumn()),
    firstName: nullable(textColumn(200)),
    lastName: nullable(textColumn(200)),
    locale: nullable(exactColumn(35)),
    timeZone: nullable(exactColumn(64)),
    /** A JSON object of at most 200 texts, numbers and booleans. */
    properties: longTextColumn(),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  }),
  { thing: 'contact', lookup: 'audience.contact.list' },
);

export type ContactRow = RowOf<typeof contacts>;

/** The fields that a contact is matched by, strongest first. */
export const identifiers = ['externalId', 'emailKey', 'phone'] as const;
export type Identifier = (typeof identifiers)[number];
