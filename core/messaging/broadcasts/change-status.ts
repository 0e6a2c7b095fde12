import { orUpdate } from '#core/runtime/database/statement.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import type { ChunkSource } from '../chunks.js';
import type { MessagingChannel } from './audience.js';
import type { BroadcastDriver } from './driver.js';
import type { MessageFields } from '../tables.js';
import type { BroadcastFields, BroadcastStatus, BroadcastTables, HoldReason, SystemHold } from '../broadcast-tables.js';

/*
 * How the status of a broadcast changes. Callers have locked its row.
 *
 *   draft ── send ──► sending ── last message ended ──► sent
 *     │                 ▲  │
 *     └─ send ─► scheduled │ pause, closure, bounces, past due, the spending cap, a sender that cannot sign
 *                       │  ▼
 *                       held ── resume ──► sending, or scheduled if it had not begun
 *   scheduled ── update without a time ──► draft
 *   draft, scheduled, sending, held ── cancel ──► closed
 */

type Changed = Pick<FullContext, 'db' | 'clock' | 'wake'>;

/** What svc does with a broadcast by itself needs the channel's name and the environment, for its audit record. */
export interface NamedKind<B extends BroadcastFields> {
  readonly name: MessagingChannel;
  readonly tables: BroadcastTables<B>;
}

/** Why svc holds a broadcast, as its audit record says it. */
const heldBecause: Readonly<Record<SystemHold, string>> = {
  account_closed: 'the account was closed',
  bounces: 'more than 5% of its messages bounced',
  past_due: 'an invoice of the account is past due',
  spending_cap: 'the account’s spending cap is reached',
  sending_limit: 'the mail server takes no more mail of its sender for now',
  mail_refused: 'the mail server refused 20 of its messages in a row',
  audience_too_large: 'its audience is too large',
  restored: 'it came with a restored backup, and the operator decides about it',
  not_ready: 'it cannot be sent as it is; see its readiness',
};

/** Writes fields of a broadcast. @returns it with them */
export async function updateBroadcast<B extends BroadcastFields>(
  { db }: Pick<FullContext, 'db'>,
  { broadcasts }: Pick<BroadcastTables<B>, 'broadcasts'>,
  before: B,
  changes: Partial<BroadcastFields>,
): Promise<B> {
  const set = Object.entries<unknown>({ ...changes }).flatMap(([field, value]) => {
    const column = broadcasts.tableColumns.get(field);
    return column ? [{ sql: `${column.name} = ?`, value: { toSqlString: () => column.literal(value) } }] : [];
  });
  await db.run(`UPDATE ${broadcasts.tableName} SET ${set.map(({ sql }) => sql).join(', ')} WHERE id = ?`, [
    ...set.map(({ value }) => value),
    idBytes(before.id),
  ]);
  return { ...before, ...changes };
}

/** Queues the work of a broadcast, or makes it due. */
export async function queueBroadcast(
  { db, wake, clock }: Changed,
  { queue }: Pick<BroadcastTables, 'queue'>,
  { id, environmentId }: Pick<BroadcastFields, 'id' | 'environmentId'>,
  dueAt: Date,
): Promise<void> {
  const enqueue = enqueueStatement(queue, [{ id, partitionId: environmentId, lane: 'bulk', dueAt }]);
  await db.run(orUpdate(enqueue, 'due_at = VALUES(due_at)'));
  if (dueAt <= clock.now()) wake(queue.name);
}

/** Sends a broadcast at its scheduled time: svc starts to create its messages. */
export async function startBroadcast<B extends BroadcastFields>(
  context: Changed,
  { tables }: { readonly tables: BroadcastTables<B> },
  broadcast: B,
): Promise<B> {
  const now = context.clock.now();
  // A broadcast that began before has counts, and they must not be locked after the broadcast, because recording
  // outcomes locks them first.
  if (broadcast.sentAt === null) {
    const counts = {
      recipients: 0,
      queued: 0,
      sent: 0,
      failed: 0,
      suppressed: 0,
      cancelled: 0,
      bounced: 0,
      refused: 0,
      neverAsked: 0,
      optedOut: 0,
      alreadySuppressed: 0,
    };
    await context.db.run(tables.counts.upsertRows([{ broadcastId: broadcast.id, ...counts }], ['broadcastId']));
  }
  return updateBroadcast(context, tables, broadcast, {
    status: 'sending',
    holdReason: null,
    sentAt: broadcast.sentAt ?? now,
    updatedAt: now,
  });
}

/** Holds a broadcast that somebody paused: from COMMIT on, no worker takes or submits a message of it. */
export const holdPaused = <B extends BroadcastFields>(
  context: Changed,
  kind: { readonly tables: BroadcastTables<B> },
  broadcast: B,
): Promise<B> => hold(context, kind, broadcast, 'paused');

/** Holds a broadcast as svc does by itself, with an audit record. @param environment the broadcast's */
export function holdBroadcast<B extends BroadcastFields>(
  context: Changed & Pick<FullContext, 'auditOwn'>,
  kind: NamedKind<B>,
  broadcast: B,
  { reason, environment }: { reason: SystemHold; environment: Environment },
): Promise<B> {
  const { id, name, status, holdReason } = broadcast;
  context.auditOwn(environment, {
    operation: `${kind.name}.broadcast.pause`,
    subject: { type: 'broadcast', id },
    summary: `Held the broadcast “${name}”: ${heldBecause[reason]}.`,
    changes: changesBetween({ status, holdReason }, { status: 'held', holdReason: reason }, ['status', 'holdReason']),
  });
  return hold(context, kind, broadcast, reason);
}

const hold = <B extends BroadcastFields>(
  context: Changed,
  { tables }: { readonly tables: BroadcastTables<B> },
  broadcast: B,
  holdReason: HoldReason,
): Promise<B> =>
  updateBroadcast(context, tables, broadcast, { status: 'held', holdReason, updatedAt: context.clock.now() });

/** Schedules a held broadcast again that had not begun: it is checked again when it is due. */
async function rescheduleBroadcast<B extends BroadcastFields>(
  context: Changed,
  { tables }: { readonly tables: BroadcastTables<B> },
  broadcast: B,
  dueAt: Date,
): Promise<B> {
  const now = context.clock.now();
  const scheduled: BroadcastStatus = 'scheduled';
  const row = await updateBroadcast(context, tables, broadcast, {
    status: scheduled,
    holdReason: null,
    releasedAt: now,
    updatedAt: now,
  });
  await queueBroadcast(context, tables, row, dueAt);
  return row;
}

/** Whether a broadcast waits for its time, so that the time can still be changed. */
export const waitsForItsTime = ({ status, scheduledAt }: BroadcastFields, now: Date): boolean =>
  status === 'scheduled' && scheduledAt !== null && scheduledAt > now;

/** Moves a broadcast that waits for its time. @param scheduledAt null makes it a draft again */
export async function moveScheduled<B extends BroadcastFields>(
  context: Changed,
  { tables }: { readonly tables: BroadcastTables<B> },
  broadcast: B,
  { scheduledAt, updatedAt }: { readonly scheduledAt: Date | null; readonly updatedAt: Date },
): Promise<B> {
  if (scheduledAt === null)
    // Its row of work ends by itself when it is due: a draft has no work.
    return updateBroadcast(context, tables, broadcast, {
      status: 'draft',
      scheduledAt,
      templateVersionId: null,
      templateVersion: null,
      activityId: null,
      releasedAt: null,
      updatedAt,
    });
  const row = await updateBroadcast(context, tables, broadcast, { scheduledAt, updatedAt });
  await queueBroadcast(context, tables, row, scheduledAt);
  return row;
}

/**
 * Continues a held broadcast. If it had not begun, it is scheduled again: at its time, or now if that has passed, it is
 * checked and then starts or is held again.
 */
export async function resumeBroadcast<B extends BroadcastFields>(
  context: Changed,
  kind: { readonly tables: BroadcastTables<B>; readonly driver: Pick<ChunkSource, 'queue' | 'chunks'> },
  broadcast: B,
): Promise<B> {
  const now = context.clock.now();
  if (broadcast.sentAt === null) return rescheduleBroadcast(context, kind, broadcast, broadcast.scheduledAt ?? now);
  const released = await updateBroadcast(context, kind.tables, broadcast, { releasedAt: now });
  const sending = await startBroadcast(context, kind, released);
  // Also if all its messages are created: the reason for holding it may still exist (BroadcastDriver.sendingProblem).
  await queueBroadcast(context, kind.tables, sending, now);
  context.wake(kind.driver.queue.name);
  if (kind.driver.chunks !== undefined) context.wake(kind.driver.chunks.name);
  return sending;
}

/**
 * Closes a broadcast: a worker ends its messages that have not been sent.
 * @returns it as it is now
 */
export async function closeBroadcast<B extends BroadcastFields, M extends MessageFields>(
  context: Pick<FullContext, 'db' | 'clock' | 'wake' | 'use'>,
  { tables, metering, freeReferences }: BroadcastDriver<B, M>,
  before: B,
): Promise<B> {
  const now = context.clock.now();
  const row = await updateBroadcast(context, tables, before, {
    status: 'closed',
    holdReason: null,
    cancelledAt: now,
    updatedAt: now,
    ...(before.sentAt === null ? { completedAt: now } : {}),
  });
  await metering(context).returnReserved(row.id);
  await freeReferences(context, row.id);
  if (row.sentAt !== null) await queueBroadcast(context, tables, row, now);
  return row;
}
