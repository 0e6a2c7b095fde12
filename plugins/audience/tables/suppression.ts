import { EntitySchema } from 'typeorm';
import {
  digestColumn,
  exactColumn,
  idColumn,
  intColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import type { Channel, SuppressionReason } from '../ports.js';

export interface SuppressionRow {
  id: string;
  environmentId: string;
  channel: Channel;
  /** The address or number; null once the person was erased, while the digest keeps the suppression in force. */
  address: string | null;
  addressDigest: Buffer;
  reason: SuppressionReason;
  note: string | null;
  /** 1 until it is lifted, then null: one of each reason stands at a time. */
  standing: 1 | null;
  createdAt: Date;
  liftedAt: Date | null;
}

export const suppressions = new EntitySchema<SuppressionRow>({
  name: 'audience_suppression',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    channel: exactColumn(5),
    address: textColumn(254, { nullable: true }),
    addressDigest: digestColumn(),
    reason: exactColumn(11),
    note: textColumn(500, { nullable: true }),
    standing: { ...intColumn({ nullable: true }), type: 'tinyint' },
    createdAt: timeColumn(),
    liftedAt: timeColumn({ nullable: true }),
  },
});
