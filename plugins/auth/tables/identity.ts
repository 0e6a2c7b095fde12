import { owned } from '#core/kernel/environment/owned.js';
import {
  choiceColumn,
  exactColumn,
  flagColumn,
  idColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const identityKinds = ['email', 'phone', 'oauth'] as const;
export type IdentityKind = (typeof identityKinds)[number];

/** What identifies users: addresses, numbers, accounts at providers. */
export const identities = owned(
  defineTable('auth_identity', {
    id: idColumn(),
    environmentId: uuidColumn(),
    userId: uuidColumn(),
    kind: choiceColumn(identityKinds, 5),
    /** The form used for comparison: lower case, E.164, `provider:subject`. */
    identityKey: exactColumn(330),
    value: textColumn(330),
    provider: nullable(exactColumn(64)),
    verifiedAt: nullable(timeColumn()),
    isPrimary: flagColumn(),
    /**
     * Added by a signed-in user for whom nothing vouched yet (identities/origin.ts). Dropped when a stored identity is
     * first proven.
     */
    byUser: flagColumn(),
    createdAt: timeColumn(),
  }),
  { thing: 'identity', lookup: 'auth.me.get' },
);

export type IdentityRow = RowOf<typeof identities>;
