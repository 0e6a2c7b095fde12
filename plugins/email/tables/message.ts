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

/** A mailbox as a header shows it. */
export interface ShownMailbox {
  readonly address: string;
  readonly name: string | null;
}

/** How a program submitted a message by SMTP (docs/connect.md). */
export interface Submission {
  /** The user name of AUTH, the name of EHLO, and the address of the program. */
  readonly user: string;
  readonly program: string | null;
  readonly address: string;
  /** The Message-ID that the program chose, without angle brackets; null if svc chooses it. */
  readonly messageIdHeader: string | null;
  /** To and Cc as the program wrote them, if they differ from the recipients; null otherwise, and after an erasure. */
  readonly shown: { readonly to: readonly ShownMailbox[]; readonly cc: readonly ShownMailbox[] } | null;
  /** Whether its only attachment is its content: a MIME entity that is sent as it is. */
  readonly isEntity: boolean;
}

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
    /** Null unless it came by SMTP submission. */
    submission: nullable(jsonColumn<Submission>()),
  }),
  { thing: 'message', lookup: 'email.message.list' },
);

export type MessageRow = RowOf<typeof messages>;
