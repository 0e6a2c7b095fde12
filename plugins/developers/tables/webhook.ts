import { owned } from '#core/kernel/environment/owned.js';
import {
  bytesColumn,
  choiceColumn,
  exactColumn,
  idColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const webhooks = owned(
  defineTable('developers_webhook', {
    id: idColumn(),
    environmentId: uuidColumn(),
    url: exactColumn(2048),
    /** Exact names and `product.*`; empty for every event. */
    eventTypes: jsonColumn<string[]>(),
    description: nullable(textColumn(500)),
    status: choiceColumn(['enabled', 'disabled'], 10),
    /** The signing secret, encrypted: it must be read back to sign. */
    secretSealed: bytesColumn(200),
    /** When the present run of failures began; null while the endpoint answers 2xx. */
    failingSince: nullable(timeColumn()),
    /** The member who last said where it is and what it gets, directly or with a key of theirs; null for a key of the account alone. */
    memberId: nullable(uuidColumn()),
    /** The products whose events that caller could read, and which it therefore gets; null for all. */
    products: nullable(jsonColumn<string[]>()),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  }),
  { thing: 'webhook endpoint', lookup: 'developers.webhook.list' },
);

export type WebhookRow = RowOf<typeof webhooks>;
