import { EntitySchema } from 'typeorm';
import {
  exactColumn,
  idColumn,
  longTextColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';

export interface SegmentRow {
  id: string;
  environmentId: string;
  name: string;
  nameKey: string;
  /** The definition as JSON, as it was saved. */
  definition: string;
  createdAt: Date;
  updatedAt: Date;
}

export const segments = new EntitySchema<SegmentRow>({
  name: 'audience_segment',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    name: textColumn(120),
    nameKey: exactColumn(1440),
    definition: longTextColumn(),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  },
});
