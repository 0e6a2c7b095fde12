import { owned } from '#core/kernel/environment/owned.js';
import {
  choiceColumn,
  exactColumn,
  idColumn,
  intColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const imports = owned(
  defineTable('audience_import', {
    id: idColumn(),
    environmentId: uuidColumn(),
    status: choiceColumn(['queued', 'running', 'done', 'failed'], 7),
    /** The options of the call, as JSON (imports/options.ts). */
    options: longTextColumn(),
    total: intColumn(),
    processed: intColumn(),
    created: intColumn(),
    updated: intColumn(),
    rejected: intColumn(),
    /** Consecutive failures of the current part, for reasons other than its rows. */
    failures: intColumn(),
    activityId: uuidColumn(),
    createdAt: timeColumn(),
    startedAt: nullable(timeColumn()),
    finishedAt: nullable(timeColumn()),
    /** When its rejected rows were deleted because of their age (imports/retention.ts). */
    rejectedRemovedAt: nullable(timeColumn()),
  }),
  { thing: 'import', lookup: 'the reply of audience.contact.import' },
);

export type ImportRow = RowOf<typeof imports>;

/**
 * Rows waiting to be imported. They are deleted in the transaction that imports them, because they contain personal
 * data.
 */
export const importParts = defineTable('audience_import_part', {
  importId: primary(uuidColumn()),
  position: primary(intColumn()),
  /** The number of the part's first row. */
  firstRow: intColumn(),
  /** A JSON list (imports/parts.ts). */
  contacts: longTextColumn(),
  /** When its rows were last searched for people who had been erased (imports/screen.ts). */
  screenedAt: nullable(timeColumn()),
});

/** A row that was rejected. Its message names fields, never values, so it contains no personal data. */
export const importRejections = defineTable('audience_import_rejection', {
  importId: primary(uuidColumn()),
  rowNo: primary(intColumn()),
  code: exactColumn(40),
  message: textColumn(1000),
});
