import { broadcastsKind } from '#core/messaging/broadcasts/outgoing.js';
import { smsBroadcasts, smsKit } from './kind.js';

/** Broadcasts that go on, for operators who restored a backup. */
export const waitingBroadcasts = broadcastsKind('text-broadcasts', smsBroadcasts, async ({ db, emit }, broadcast) => {
  const data = { broadcast: await smsKit.presenter.one(db, broadcast) };
  emit('sms.broadcast.cancelled', { subjectId: broadcast.id, data });
});
