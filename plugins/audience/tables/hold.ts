import { EntitySchema } from 'typeorm';
import { bytesColumn, exactColumn, idColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';

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
    kind: primary(exactColumn(7)),
    target: primary(bytesColumn(64)),
    holderType: primary(exactColumn(40)),
    holderId: primary(uuidColumn()),
  },
});
