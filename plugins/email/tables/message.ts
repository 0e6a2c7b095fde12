import { EntitySchema } from 'typeorm';
import {
  bodyTextColumn,
  exactColumn,
  flagColumn,
  idColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';

export const messageStatuses = [
  'queued',
  'held',
  'sending',
  'sent',
  'failed',
  'suppressed',
  'cancelled',
  'bounced',
] as const;
export type MessageStatus = (typeof messageStatuses)[number];

export interface MessageRow {
  id: string;
  environmentId: string;
  status: MessageStatus;
  /** Sent on the project's behalf by the service itself: its content is never readable. */
  isSystem: boolean;
  fromAddress: string;
  fromName: string | null;
  replyTo: string[];
  toAddresses: string[];
  ccAddresses: string[];
  bccAddresses: string[];
  /** Null for system mail, whose subject may hold a code, and once a person it went to was erased. */
  subject: string | null;
  template: string | null;
  headers: Record<string, string>;
  tags: Record<string, string>;
  blockedReason: string | null;
  personId: string | null;
  /** The consent topic that it is sent under. */
  topic: string | null;
  /** The one contact it goes to. */
  contactId: string | null;
  sendAfter: Date | null;
  sentAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
}

export const messages = new EntitySchema<MessageRow>({
  name: 'email_message',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    status: exactColumn(12),
    isSystem: flagColumn(),
    fromAddress: textColumn(254),
    fromName: nullable(textColumn(120)),
    replyTo: jsonColumn(),
    toAddresses: jsonColumn(),
    ccAddresses: jsonColumn(),
    bccAddresses: jsonColumn(),
    subject: nullable(bodyTextColumn()),
    template: nullable(exactColumn(100)),
    headers: jsonColumn(),
    tags: jsonColumn(),
    blockedReason: nullable(exactColumn(40)),
    personId: nullable(uuidColumn()),
    topic: nullable(exactColumn(64)),
    contactId: nullable(uuidColumn()),
    sendAfter: nullable(timeColumn()),
    sentAt: nullable(timeColumn()),
    endedAt: nullable(timeColumn()),
    createdAt: timeColumn(),
  },
});
