import { owned } from '#core/kernel/environment/owned.js';
import {
  choiceColumn,
  digestColumn,
  idColumn,
  nullable,
  textColumn,
  timeColumn,
  tinyintColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import { channels } from '../channels.js';
import { suppressionReasons } from './suppression-reasons.js';

export const suppressions = owned(
  defineTable('audience_suppression', {
    id: idColumn(),
    environmentId: uuidColumn(),
    channel: choiceColumn(channels, 5),
    /** The address or number; null once the person is erased, while the digest keeps the suppression in force. */
    address: nullable(textColumn(254)),
    addressDigest: digestColumn(),
    reason: choiceColumn(suppressionReasons, 11),
    note: nullable(textColumn(500)),
    /** 1 until it is lifted, then null: the unique key allows one active suppression of each reason. */
    active: nullable(tinyintColumn()),
    createdAt: timeColumn(),
    liftedAt: nullable(timeColumn()),
  }),
  { thing: 'suppression', lookup: 'audience.suppression.list' },
);

export type SuppressionRow = RowOf<typeof suppressions>;
