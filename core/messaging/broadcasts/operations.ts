import { counted } from '#config/counted.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { messagingRefusalOf } from '../errors.js';
import type { MessageFields } from '../tables.js';
import type { PublishedTemplate } from '../templates/published.js';
import { holdPaused, queueBroadcast, resumeBroadcast, startBroadcast, updateBroadcast } from './change-status.js';
import type { BroadcastDriver } from './driver.js';
import type { BroadcastPresenter, PresentedBroadcast } from './present.js';
import type { BroadcastFields } from '../broadcast-tables.js';

/*
 * The implementation of the broadcast operations of all channels. They write the audit record; the operation writes its
 * channel's event.
 */

type Writing = Pick<Context, 'db' | 'clock' | 'wake' | 'audit' | 'startedBy' | 'use'> & {
  readonly caller: TenantCaller;
};

/** A channel's broadcasts, and how replies show them. */
interface BroadcastKit<B extends BroadcastFields, M extends MessageFields, P extends PresentedBroadcast> {
  readonly kind: BroadcastDriver<B, M>;
  readonly presenter: BroadcastPresenter<B, P>;
}

/** A broadcast after a call. `messages`: how many the call concerned. */
interface ChangedBroadcast<P> {
  readonly broadcast: P;
  readonly messages: number;
  /** False if it was already in the wanted state: then no event is emitted. */
  readonly hasChanged: boolean;
}

const subjectOf = ({ id }: BroadcastFields): { type: string; id: string } => ({ type: 'broadcast', id });

/**
 * Sends a draft now, or schedules it. If its audience was not counted to the end, it is scheduled for now: the worker
 * counts the rest before the first message is made, so that either the limit and the cap allow all of it or nothing is
 * sent. The caller has locked it, checked it and marked the things it uses.
 * @param found `recipients`: how many contacts would get it now, or a minimum if not `isCounted`
 */
export async function sendDraft<B extends BroadcastFields, M extends MessageFields, P extends PresentedBroadcast>(
  context: Writing,
  { kind, presenter }: BroadcastKit<B, M, P>,
  draft: B,
  found: { template: PublishedTemplate; recipients: number; isLater: boolean; isCounted: boolean },
): Promise<P> {
  const { template, recipients, isLater, isCounted } = found;
  const now = context.clock.now();
  const fixed = await updateBroadcast(context, kind.tables, draft, {
    status: 'scheduled',
    templateVersionId: template.versionId,
    templateVersion: template.version,
    activityId: context.startedBy(),
    releasedAt: now,
    updatedAt: now,
  });
  const row = isLater || !isCounted ? fixed : await startBroadcast(context, kind, fixed);
  await queueBroadcast(context, kind.tables, row, isLater && row.scheduledAt ? row.scheduledAt : now);
  context.audit({
    subject: subjectOf(row),
    summary: `${isLater ? 'Scheduled' : 'Sent'} the broadcast “${row.name}” to ${isCounted ? '' : 'at least '}${counted(recipients, 'contact')}.`,
    changes: [{ field: 'status', from: 'draft', to: row.status }],
  });
  return presenter.one(context.db, row);
}

/** Whether a broadcast is due now and only the counting of its audience is unfinished. */
const isStarting = ({ status, scheduledAt }: BroadcastFields, now: Date): boolean =>
  status === 'scheduled' && (scheduledAt === null || scheduledAt <= now);

/**
 * Holds a broadcast until it is resumed, also while its audience is being counted. @throws not_found,
 * broadcast_not_sending
 */
export async function pauseBroadcast<B extends BroadcastFields, M extends MessageFields, P extends PresentedBroadcast>(
  context: Writing,
  { kind, presenter }: BroadcastKit<B, M, P>,
  broadcastId: string,
): Promise<ChangedBroadcast<P>> {
  const { db, caller, clock, audit } = context;
  const before = await lockOwned(db, kind.tables.broadcasts, caller, broadcastId);
  const isHeld = before.status === 'held';
  if (before.status !== 'sending' && !isHeld && !isStarting(before, clock.now()))
    throw messagingRefusalOf.broadcast_not_sending({ channel: kind.name, status: before.status });
  // The account's payment must not resume a broadcast that somebody has paused.
  const isPausable = !isHeld || before.holdReason === 'past_due';
  const reason = { field: 'holdReason', from: before.holdReason, to: 'paused' };
  audit({
    subject: subjectOf(before),
    summary: `Paused the broadcast “${before.name}”.`,
    changes: !isHeld ? [{ field: 'status', from: before.status, to: 'held' }] : isPausable ? [reason] : [],
    unchanged: `the broadcast “${before.name}” was already held.`,
  });
  const row = isPausable ? await holdPaused(context, kind, before) : before;
  const broadcast = await presenter.one(db, row);
  return { broadcast, messages: isHeld ? 0 : (broadcast.counts?.held ?? 0), hasChanged: !isHeld };
}

/** Continues a held broadcast. @throws not_found, broadcast_not_held */
export async function resumeHeld<B extends BroadcastFields, M extends MessageFields, P extends PresentedBroadcast>(
  context: Writing,
  { kind, presenter }: BroadcastKit<B, M, P>,
  broadcastId: string,
): Promise<ChangedBroadcast<P>> {
  const { db, caller, clock, audit } = context;
  const before = await lockOwned(db, kind.tables.broadcasts, caller, broadcastId);
  const isSending = before.status === 'sending' || isStarting(before, clock.now());
  const goesOn = isSending || before.status === 'scheduled';
  if (before.status !== 'held' && !goesOn)
    throw messagingRefusalOf.broadcast_not_held({ channel: kind.name, status: before.status });
  const row = goesOn ? before : await resumeBroadcast(context, kind, before);
  const held = goesOn ? 0 : ((await presenter.one(db, before)).counts?.held ?? 0);
  audit({
    subject: subjectOf(before),
    summary: `Resumed the broadcast “${before.name}”.`,
    changes: goesOn ? [] : [{ field: 'status', from: 'held', to: row.status }],
    unchanged: `the broadcast “${before.name}” was already ${isSending ? 'being sent' : 'scheduled'}.`,
  });
  return { broadcast: await presenter.one(db, row), messages: held, hasChanged: !goesOn };
}

/** Closes a broadcast that is locked: a worker ends its messages that have not been sent. @returns it as it is now */
export async function closeBroadcast<B extends BroadcastFields, M extends MessageFields>(
  context: Pick<Context, 'db' | 'clock' | 'wake' | 'use'>,
  kind: BroadcastDriver<B, M>,
  before: B,
): Promise<B> {
  const now = context.clock.now();
  const row = await updateBroadcast(context, kind.tables, before, {
    status: 'closed',
    holdReason: null,
    cancelledAt: now,
    updatedAt: now,
    ...(before.sentAt === null ? { completedAt: now } : {}),
  });
  await kind.metering(context).returnReserved(row.id);
  await kind.freeReferences(context, row.id);
  if (row.sentAt !== null) await queueBroadcast(context, kind.tables, row, now);
  return row;
}

/**
 * Closes a draft, or cancels the messages of a broadcast that have not been sent. @throws not_found, broadcast_finished
 */
export async function cancelBroadcast<B extends BroadcastFields, M extends MessageFields, P extends PresentedBroadcast>(
  context: Writing,
  { kind, presenter }: BroadcastKit<B, M, P>,
  broadcastId: string,
): Promise<ChangedBroadcast<P>> {
  const { db, caller, audit } = context;
  const before = await lockOwned(db, kind.tables.broadcasts, caller, broadcastId);
  if (before.status === 'sent') throw messagingRefusalOf.broadcast_finished({ channel: kind.name });
  const isClosed = before.status === 'closed';
  audit({
    subject: subjectOf(before),
    summary: `Cancelled the broadcast “${before.name}”.`,
    changes: isClosed ? [] : [{ field: 'status', from: before.status, to: 'closed' }],
    unchanged: `the broadcast “${before.name}” was already cancelled.`,
  });
  const shown = await presenter.one(db, before);
  if (isClosed) return { broadcast: shown, messages: 0, hasChanged: false };
  const waiting = (shown.counts?.queued ?? 0) + (shown.counts?.held ?? 0);
  const row = await closeBroadcast(context, kind, before);
  return { broadcast: await presenter.one(db, row), messages: waiting, hasChanged: true };
}
