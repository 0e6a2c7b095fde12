import { EntitySchema } from 'typeorm';
import {
  digestColumn,
  exactColumn,
  idColumn,
  intColumn,
  nullable,
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
    address: nullable(textColumn(254)),
    addressDigest: digestColumn(),
    reason: exactColumn(11),
    note: nullable(textColumn(500)),
    standing: { ...nullable(intColumn()), type: 'tinyint' },
    createdAt: timeColumn(),
    liftedAt: nullable(timeColumn()),
  },
});
