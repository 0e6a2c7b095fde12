import { EntitySchema } from 'typeorm';
import {
  exactColumn,
  idColumn,
  longTextColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';

export interface SegmentRow {
  id: string;
  environmentId: string;
  name: string;
  /** Null once deleted: the name is free again. */
  nameKey: string | null;
  /** The definition as JSON, as it was saved. */
  definition: string;
  createdAt: Date;
  updatedAt: Date;
  /** Kept so that a repeated delete finds what it deleted; nothing else does. */
  deletedAt: Date | null;
}

export const segments = new EntitySchema<SegmentRow>({
  name: 'audience_segment',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    name: textColumn(120),
    nameKey: nullable(exactColumn(1440)),
    definition: longTextColumn(),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
    deletedAt: nullable(timeColumn()),
  },
});
