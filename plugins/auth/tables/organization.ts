import { owned } from '#core/kernel/environment/owned.js';
import {
  exactColumn,
  flagColumn,
  idColumn,
  intColumn,
  longTextColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** Organizations of users. */
export const organizations = owned(
  defineTable('auth_organization', {
    id: idColumn(),
    environmentId: uuidColumn(),
    name: textColumn(120),
    /** The name in the form that searches compare. */
    nameKey: exactColumn(480),
    slug: exactColumn(64),
    logoUrl: nullable(textColumn(2048)),
    /** JSON. */
    metadata: longTextColumn(),
    requireMfa: flagColumn(),
    memberCount: intColumn(),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  }),
  { thing: 'organization', lookup: 'auth.org.mine' },
);

export type OrganizationRow = RowOf<typeof organizations>;
