import {
  choiceColumn,
  exactColumn,
  flagColumn,
  idColumn,
  intColumn,
  jsonColumn,
  nullable,
  primary,
  smallintColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import type { RowFrom, Table } from '#core/runtime/database/table.js';
import type { BlockedBy } from './blocked.js';
import type { StatTables } from './stat-tables.js';
import type { BroadcastStatus, BroadcastTables } from './broadcast-tables.js';

/*
 * The columns that the tables of every channel have. A channel adds its own:
 * `defineTable('email_message', { ...messageColumns, subject: nullable(bodyTextColumn()) })`.
 */

/** The statuses of a message. See `shownStatus` for those that are not stored. */
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

/** What the status of a queued message depends on, in addition to its row. */
export interface Waiting {
  /** A worker is delivering it. */
  isLeased: boolean;
  /** Its account is closed. */
  isClosed: boolean;
  /** The operator holds it, because it came with a restored backup. */
  isHeld?: boolean | undefined;
  /** The status of the broadcast that it belongs to, if it does. */
  broadcast?: BroadcastStatus | null | undefined;
}

/**
 * The status that people see. Two are not stored: a queued message that a worker has leased is `sending`, and one of a
 * closed account, of a held broadcast or of a restored backup that the operator holds is `held`. A message of a
 * cancelled broadcast is `cancelled` before its row states it.
 */
export function shownStatus(stored: MessageStatus, { isLeased, isClosed, isHeld, broadcast }: Waiting): MessageStatus {
  if (stored !== 'queued') return stored;
  if (isLeased) return 'sending';
  if (broadcast === 'closed') return 'cancelled';
  return isClosed || isHeld === true || broadcast === 'held' ? 'held' : 'queued';
}

/** The statuses in which delivery leaves a message. */
export type FinalStatus = Outcome | 'bounced';

/** What delivery did with a message. A message that was sent may have bounced since. */
export type Outcome = 'sent' | 'failed' | 'suppressed' | 'cancelled';

export const recipientStatuses = ['queued', 'sent', 'failed', 'suppressed', 'cancelled', 'bounced'] as const;

export const attemptStatuses = ['sent', 'temporary', 'permanent', 'mixed'] as const;

export const messageColumns = {
  id: idColumn(),
  environmentId: uuidColumn(),
  status: choiceColumn(messageStatuses, 12),
  /** Sent by the service itself on the project's behalf: its content is never readable. */
  isSystem: flagColumn(),
  /** The content, which messages to many recipients share; null after it was erased, or deleted because of its age. */
  contentId: nullable(uuidColumn()),
  template: nullable(exactColumn(100)),
  templateVersion: nullable(intColumn()),
  templateLocale: nullable(exactColumn(35)),
  /** The broadcast it belongs to. */
  broadcastId: nullable(uuidColumn()),
  /** The automation that sent it, and the run that it was a step of. */
  automationId: nullable(uuidColumn()),
  automationRunId: nullable(uuidColumn()),
  tags: jsonColumn<Record<string, string>>(),
  /** The consent topic that it is sent under. */
  topic: nullable(exactColumn(64)),
  /** The contact that it goes to, if it goes to only one contact. */
  contactId: nullable(uuidColumn()),
  /** The user that a system message is about. */
  personId: nullable(uuidColumn()),
  /** The audit record of the call that accepted it. */
  activityId: nullable(uuidColumn()),
  /** If the status is `suppressed`: the reason for which no recipient may get the message. */
  blockedReason: nullable(exactColumn(40)),
  /** What stopped it, if the audience product did; null in rows of earlier versions. */
  blockedBy: nullable(jsonColumn<BlockedBy>()),
  sendAfter: nullable(timeColumn()),
  sentAt: nullable(timeColumn()),
  endedAt: nullable(timeColumn()),
  createdAt: timeColumn(),
  /** When its content was deleted because of its age (content-retention.ts). */
  contentRemovedAt: nullable(timeColumn()),
};
export type MessageFields = RowFrom<typeof messageColumns>;

/** One row per address that a message goes to: each ends with its own status. */
export const recipientColumns = {
  messageId: primary(uuidColumn()),
  /** Counts from 0. */
  position: primary(smallintColumn()),
  environmentId: uuidColumn(),
  /** Empty after the person was erased. */
  address: textColumn(254),
  /** The address in the form it is compared in. */
  addressKey: exactColumn(254),
  status: choiceColumn(recipientStatuses, 12),
  /** The code of the server's reply: an SMTP reply code, a provider's error code. */
  code: nullable(smallintColumn()),
  response: nullable(textColumn(500)),
  /** The id that the server or provider gave the message, by which its reports name it. */
  providerId: nullable(exactColumn(255)),
  endedAt: nullable(timeColumn()),
};
export type RecipientRow = RowFrom<typeof recipientColumns>;

/** One row per attempt to deliver a message. */
export const attemptColumns = {
  messageId: primary(uuidColumn()),
  /** Counts from 1. */
  attempt: primary(intColumn()),
  at: timeColumn(),
  status: choiceColumn(attemptStatuses, 12),
  code: nullable(smallintColumn()),
  response: textColumn(500),
  durationMs: intColumn(),
};
export type AttemptRow = RowFrom<typeof attemptColumns>;

/** A table whose rows are deleted with their message or content, and the column that refers to it. */
interface DetailTable {
  readonly table: string;
  readonly key: string;
}

/** The tables of one channel. */
export interface ChannelTables<M extends MessageFields> {
  readonly messages: Table<M>;
  readonly recipients: Table<RecipientRow>;
  readonly attempts: Table<AttemptRow>;
  /** Null for a channel without broadcasts. */
  readonly broadcasts: Pick<BroadcastTables, 'broadcasts' | 'counts'> | null;
  /**
   * The content and its parts, each with the column that holds the content's id. The first one is the content itself.
   */
  readonly contents: readonly [DetailTable, ...DetailTable[]];
  /** More tables with rows of a message. */
  readonly details: readonly DetailTable[];
  readonly stats: StatTables;
}
