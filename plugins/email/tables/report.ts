import {
  choiceColumn,
  exactColumn,
  nullable,
  primary,
  smallintColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import { bounceKinds } from './message.js';

/** Reports about a recipient after the message was accepted. */
const reportTypes = ['delivered', 'bounced', 'complained'] as const;
export type ReportType = (typeof reportTypes)[number];

/** The reports about a recipient of a message: each type once, no matter how often it is reported. */
export const reports = defineTable('email_report', {
  messageId: primary(uuidColumn()),
  /** The recipient's. */
  position: primary(smallintColumn()),
  type: primary(choiceColumn(reportTypes, 10)),
  /** Only for bounces. */
  kind: nullable(choiceColumn(bounceKinds, 4)),
  /** The enhanced status code (RFC 3463), such as 5.1.1. */
  code: nullable(exactColumn(20)),
  /** One line of at most 500 characters. */
  detail: textColumn(500),
  at: timeColumn(),
});

export type ReportRow = RowOf<typeof reports>;

/** A report by a bounce, a complaint or a provider about one recipient. */
export interface Report {
  readonly type: ReportType;
  /** Only for bounces; null for the other types. */
  readonly kind: (typeof bounceKinds)[number] | null;
  /** The enhanced status code (RFC 3463), if the report contains one. */
  readonly code: string | null;
  /** The text of the report, in any length; it is stored as one line. */
  readonly detail: string;
  /** When it happened. A time before the message was sent or in the future is corrected. */
  readonly at: Date;
}
