import { EntitySchema } from 'typeorm';
import {
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

export type ImportStatus = 'queued' | 'running' | 'done' | 'failed';

export interface ImportRow {
  id: string;
  environmentId: string;
  status: ImportStatus;
  /** What the call asked for beside its rows, as JSON: see rules/import/options.ts. */
  options: string;
  total: number;
  processed: number;
  created: number;
  updated: number;
  rejected: number;
  /** How often in a row a part could not be worked, for reasons that were not its rows'. */
  failures: number;
  activityId: string;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export const imports = new EntitySchema<ImportRow>({
  name: 'audience_import',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    status: exactColumn(7),
    options: longTextColumn(),
    total: intColumn(),
    processed: intColumn(),
    created: intColumn(),
    updated: intColumn(),
    rejected: intColumn(),
    failures: intColumn(),
    activityId: uuidColumn(),
    createdAt: timeColumn(),
    startedAt: nullable(timeColumn()),
    finishedAt: nullable(timeColumn()),
  },
});

/** Rows that wait for their turn; gone with the transaction that works them, since they hold personal facts. */
export interface ImportPartRow {
  importId: string;
  position: number;
  /** The number of the part's first row. */
  firstRow: number;
  /** A JSON list: see rules/import/parts.ts. */
  contacts: string;
}

export const importParts = new EntitySchema<ImportPartRow>({
  name: 'audience_import_part',
  columns: {
    importId: primary(uuidColumn()),
    position: primary(intColumn()),
    firstRow: intColumn(),
    contacts: longTextColumn(),
  },
});

export interface ImportRejectionRow {
  importId: string;
  rowNo: number;
  code: string;
  /** It names fields, never values: nobody can be read from it. */
  message: string;
}

export const importRejections = new EntitySchema<ImportRejectionRow>({
  name: 'audience_import_rejection',
  columns: {
    importId: primary(uuidColumn()),
    rowNo: primary(intColumn()),
    code: exactColumn(40),
    message: textColumn(1000),
  },
});
