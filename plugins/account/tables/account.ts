import { exactColumn, flagColumn, idColumn, nullable, textColumn, timeColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const accounts = defineTable('account', {
  id: idColumn(),
  name: textColumn(120),
  country: nullable(exactColumn(2)),
  heardFrom: nullable(exactColumn(20)),
  heardFromDetail: nullable(textColumn(500)),
  /** The mailbox key of the owner who opened the account and has proven the address. Unique: one address opens one account. */
  openedBy: nullable(exactColumn(254)),
  /** The deployment's own (first) account. */
  operator: flagColumn(),
  createdAt: timeColumn(),
  closedAt: nullable(timeColumn()),
  closedReason: nullable(textColumn(500)),
});

export type AccountRow = RowOf<typeof accounts>;
