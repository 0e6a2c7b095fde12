import { owned } from '#core/kernel/environment/owned.js';
import {
  exactColumn,
  flagColumn,
  idColumn,
  longTextColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** End users of an environment. `email` and `phone` repeat the primary identities. */
export const users = owned(
  defineTable('auth_user', {
    id: idColumn(),
    environmentId: uuidColumn(),
    email: nullable(textColumn(254)),
    /** The address in the form used for comparison: lower case. */
    emailKey: nullable(exactColumn(254)),
    emailVerified: flagColumn(),
    /** E.164. */
    phone: nullable(exactColumn(16)),
    phoneVerified: flagColumn(),
    name: nullable(textColumn(200)),
    /** The name in the form that searches compare. */
    nameKey: nullable(exactColumn(800)),
    pictureUrl: nullable(textColumn(2048)),
    locale: nullable(exactColumn(35)),
    externalId: nullable(exactColumn(800)),
    /** JSON: written by the user. */
    userMetadata: longTextColumn(),
    /** JSON: written by secret keys, visible to the user. */
    metadata: longTextColumn(),
    /** JSON: written by secret keys and visible only to them. */
    privateMetadata: longTextColumn(),
    bannedAt: nullable(timeColumn()),
    bannedUntil: nullable(timeColumn()),
    banReason: nullable(textColumn(500)),
    lastSignInAt: nullable(timeColumn()),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  }),
  { thing: 'user', lookup: 'auth.user.list' },
);

export type UserRow = RowOf<typeof users>;
