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
    /** Exact names and `product.*`. Empty for every event. */
    eventTypes: jsonColumn<string[]>(),
    description: nullable(textColumn(500)),
    status: choiceColumn(['enabled', 'disabled'], 10),
    /** The signing secret, encrypted, because signing requires the plaintext. */
    secretSealed: bytesColumn(200),
    /** The secret before the current one, encrypted, while a rotation lets both sign. */
    secretBefore: nullable(bytesColumn(200)),
    secretBeforeUntil: nullable(timeColumn()),
    /** When the current run of failures began; null while the endpoint answers 2xx. */
    failingSince: nullable(timeColumn()),
    /**
     * The member who last set its address or filter, directly or with one of their keys; null for a key that belongs
     * only to the account.
     */
    memberId: nullable(uuidColumn()),
    /** The products whose events that caller could read, and which the endpoint therefore receives; null for all. */
    products: nullable(jsonColumn<string[]>()),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  }),
  { thing: 'webhook endpoint', lookup: 'developers.webhook.list' },
);

export type WebhookRow = RowOf<typeof webhooks>;
