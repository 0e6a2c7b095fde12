import { owned } from '#core/kernel/environment/owned.js';
import {
  bodyTextColumn,
  choiceColumn,
  exactColumn,
  idColumn,
  nullable,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const keywords = ['stop', 'start', 'help'] as const;
export type Keyword = (typeof keywords)[number];

/** Received texts. Unique by environment, provider and provider id: a repeated callback stores nothing. */
export const inbounds = owned(
  defineTable('sms_inbound', {
    id: idColumn(),
    environmentId: uuidColumn(),
    /** The environment's number that received it; null for a number of the deployment. */
    numberId: nullable(uuidColumn()),
    fromNumber: exactColumn(20),
    toNumber: exactColumn(20),
    body: bodyTextColumn(),
    keyword: nullable(choiceColumn(keywords, 8)),
    contactId: nullable(uuidColumn()),
    provider: exactColumn(16),
    providerId: exactColumn(128),
    receivedAt: timeColumn(),
  }),
  { thing: 'received text', lookup: 'sms.inbound.list' },
);

export type InboundRow = RowOf<typeof inbounds>;
