import { owned } from '#core/kernel/environment/owned.js';
import { messageColumns } from '#core/messaging/tables.js';
import {
  bodyTextColumn,
  choiceColumn,
  exactColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** hard: the address does not work; soft: it may work later. */
export const bounceKinds = ['hard', 'soft'] as const;

export const messages = owned(
  defineTable('email_message', {
    ...messageColumns,
    fromAddress: textColumn(254),
    fromName: nullable(textColumn(120)),
    replyTo: jsonColumn<string[]>(),
    toAddresses: jsonColumn<string[]>(),
    ccAddresses: jsonColumn<string[]>(),
    bccAddresses: jsonColumn<string[]>(),
    /** Display names by address, of to, cc and replyTo. */
    displayNames: nullable(jsonColumn<Record<string, string>>()),
    /** Null for system mail, whose subject may contain a code, and after a recipient was erased. */
    subject: nullable(bodyTextColumn()),
    headers: jsonColumn<Record<string, string>>(),
    /** When a provider reported that it is in the recipient's mailbox. */
    deliveredAt: nullable(timeColumn()),
    /** When a server returned the message after accepting it. The time of the first report for a recipient. */
    bouncedAt: nullable(timeColumn()),
    bounceKind: nullable(choiceColumn(bounceKinds, 4)),
    /** The enhanced status code of the report, such as 5.1.1 (RFC 3463). */
    bounceCode: nullable(exactColumn(20)),
    bounceDetail: nullable(textColumn(500)),
  }),
  { thing: 'message', lookup: 'email.message.list' },
);

export type MessageRow = RowOf<typeof messages>;
