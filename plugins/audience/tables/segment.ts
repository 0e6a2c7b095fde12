import { owned } from '#core/kernel/environment/owned.js';
import {
  exactColumn,
  idColumn,
  longTextColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const segments = owned(
  defineTable('audience_segment', {
    id: idColumn(),
    environmentId: uuidColumn(),
    name: textColumn(120),
    /** Null once deleted, so that the name can be used again. */
    nameKey: nullable(exactColumn(1440)),
    /** The definition as JSON, as it was saved. */
    definition: longTextColumn(),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
    /** Deleted segments are kept so that a repeated delete succeeds. */
    deletedAt: nullable(timeColumn()),
  }),
  { thing: 'segment', lookup: 'audience.segment.list' },
);

export type SegmentRow = RowOf<typeof segments>;
