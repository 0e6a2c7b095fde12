import { EntitySchema } from 'typeorm';
import { exactColumn, idColumn, uuidColumn } from '#core/runtime/database/columns.js';

/** Something open that uses a topic or a segment. */
export interface HoldRow {
  environmentId: string;
  kind: 'topic' | 'segment';
  /** The topic's key, or the segment's id. */
  target: Buffer;
  /** What it is, as refusals name it: broadcast, automation. */
  holderType: string;
  holderId: string;
}

export const audienceHolds = new EntitySchema<HoldRow>({
  name: 'audience_hold',
  columns: {
    environmentId: idColumn(),
    kind: exactColumn(7, { primary: true }),
    target: { type: 'varbinary', length: 64, primary: true },
    holderType: exactColumn(40, { primary: true }),
    holderId: { ...uuidColumn(), primary: true },
  },
});
