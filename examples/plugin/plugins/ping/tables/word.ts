import { owned } from '#core/kernel/environment/owned.js';
import { idColumn, textColumn, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const words = owned(
  defineTable('ping_word', {
    id: idColumn(),
    environmentId: uuidColumn(),
    word: textColumn(100),
    createdAt: timeColumn(),
  }),
  { thing: 'word', lookup: 'ping.word.list' },
);
export type WordRow = RowOf<typeof words>;
