import { owned } from '#core/kernel/environment/owned.js';
import {
  exactColumn,
  flagColumn,
  idColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const projects = owned(
  defineTable('account_project', {
    id: idColumn(),
    accountId: uuidColumn(),
    name: textColumn(120),
    /** The name in the form used to compare names: NFC, lower case. */
    nameKey: exactColumn(1440),
    /** The first label of the project's own sending domain; unique in the deployment. */
    slug: exactColumn(63),
    locale: exactColumn(35),
    timeZone: exactColumn(64),
    createdAt: timeColumn(),
    archivedAt: nullable(timeColumn()),
    /** A key of a test environment created it. */
    byTestKey: flagColumn(),
    /** Null until its first change. */
    updatedAt: nullable(timeColumn()),
  }),
  { thing: 'project', lookup: 'account.project.list' },
);

export type ProjectRow = RowOf<typeof projects>;
