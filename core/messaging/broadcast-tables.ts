import {
  choiceColumn,
  exactColumn,
  idColumn,
  intColumn,
  jsonColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import type { RowFrom, Table } from '#core/runtime/database/table.js';
import type { OwnedTable } from '#core/kernel/environment/owned.js';
import type { QueueRef } from '#core/runtime/work/queue.js';

/*
 * The columns that the broadcasts of every channel have. A channel adds its own:
 * `defineTable('email_broadcast', { ...broadcastColumns, fromAddress: textColumn(254) })`.
 */

/** The statuses of a broadcast. `docs/broadcasts.md` shows how one leads to another. */
export const broadcastStatuses = ['draft', 'scheduled', 'sending', 'held', 'sent', 'closed'] as const;
export type BroadcastStatus = (typeof broadcastStatuses)[number];

/**
 * Why a broadcast is held. `paused`, `account_closed`, `bounces`, `spending_cap`, `sending_limit` (of the mail server)
 * and `mail_refused` (by it) last until the broadcast is resumed, `past_due` until the account has paid.
 * `restored` is for broadcasts that the operator held after a backup was restored.
 * `audience_too_large` is found when a scheduled broadcast begins, `not_ready` also while it is being sent.
 */
export const holdReasons = [
  'paused',
  'account_closed',
  'bounces',
  'past_due',
  'spending_cap',
  'sending_limit',
  'mail_refused',
  'audience_too_large',
  'not_ready',
  'restored',
] as const;
export type HoldReason = (typeof holdReasons)[number];
/** Why svc holds a broadcast by itself. */
export type SystemHold = Exclude<HoldReason, 'paused'>;

export const broadcastColumns = {
  id: idColumn(),
  environmentId: uuidColumn(),
  name: textColumn(120),
  template: exactColumn(120),
  topic: exactColumn(64),
  segmentId: nullable(uuidColumn()),
  variables: jsonColumn<Record<string, unknown>>(),
  scheduledAt: nullable(timeColumn()),
  status: choiceColumn(broadcastStatuses, 12),
  holdReason: nullable(choiceColumn(holdReasons, 20)),
  /** The version of the template when the broadcast was sent or scheduled: later ones do not change it. */
  templateVersionId: nullable(uuidColumn()),
  templateVersion: nullable(intColumn()),
  /** The audit record of the call that sent it, which the events of its messages refer to. */
  activityId: nullable(uuidColumn()),
  /** The last contact, by id, that the fan-out has looked at. */
  lastContactId: nullable(uuidColumn()),
  /** When every recipient had a message. */
  fannedOutAt: nullable(timeColumn()),
  /**
   * When the broadcast was sent, scheduled or last resumed. If the account is closed after this time, the broadcast is
   * held.
   */
  releasedAt: nullable(timeColumn()),
  /**
   * When more than 5 % of it had bounced, including those refused at submission. It was held then, and the account's
   * owners got a mail.
   */
  bouncesReportedAt: nullable(timeColumn()),
  cancelledAt: nullable(timeColumn()),
  sentAt: nullable(timeColumn()),
  completedAt: nullable(timeColumn()),
  createdAt: timeColumn(),
  updatedAt: timeColumn(),
};
export type BroadcastFields = RowFrom<typeof broadcastColumns>;

/**
 * How many messages of a broadcast are stored with which status. `queued` includes those that are held or being sent.
 */
export const countColumns = {
  broadcastId: primary(uuidColumn()),
  recipients: intColumn(),
  queued: intColumn(),
  sent: intColumn(),
  failed: intColumn(),
  suppressed: intColumn(),
  cancelled: intColumn(),
  bounced: intColumn(),
  /** Of `failed`: refused when they were submitted, because the address does not work. */
  refused: intColumn(),
  /**
   * The number of contacts that the broadcast left out when its messages were created. Null if an earlier version began
   * to create the messages.
   */
  neverAsked: nullable(intColumn()),
  optedOut: nullable(intColumn()),
  alreadySuppressed: nullable(intColumn()),
};
type CountRow = RowFrom<typeof countColumns>;

/** What is counted of an audience. */
export interface AudienceQuestion {
  readonly topic: string;
  readonly segmentId: string | null;
  /** The properties that the contacts are counted without. */
  readonly properties: readonly string[];
}

/** `AudienceCounts` (broadcasts/audience.ts) as it is stored. */
export interface StoredCounts {
  readonly eligible: number;
  readonly noConsent: number;
  readonly optedOut: number;
  readonly suppressed: number;
  readonly countries: readonly (readonly [string | null, number])[];
  readonly without: readonly (readonly [string, number])[];
}

/** The audience of a broadcast that is counted in the background (broadcasts/stored-audience.ts). */
export const audienceColumns = {
  broadcastId: primary(uuidColumn()),
  question: jsonColumn<AudienceQuestion>(),
  /** When a call last asked for it. */
  askedAt: timeColumn(),
  /** The last contact, by id, that the current count has looked at, when it began, and its result so far. */
  lastContactId: nullable(uuidColumn()),
  startedAt: nullable(timeColumn()),
  soFar: nullable(jsonColumn<StoredCounts>()),
  /** When the last count that came to its end began, and its result. */
  countedAt: nullable(timeColumn()),
  counted: nullable(jsonColumn<StoredCounts>()),
};
export type AudienceRow = RowFrom<typeof audienceColumns>;

/** The tables of one channel's broadcasts. */
export interface BroadcastTables<B extends BroadcastFields = BroadcastFields> {
  readonly broadcasts: OwnedTable<B>;
  readonly counts: Table<CountRow>;
  readonly audiences: Table<AudienceRow>;
  /** One row per audience that is counted in the background. The row has the broadcast's id. */
  readonly audienceQueue: QueueRef;
  /** One row per broadcast whose fan-out or cancellation is not finished. The row has the broadcast's id. */
  readonly queue: QueueRef;
}
