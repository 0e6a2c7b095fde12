import { broadcastsKind } from '#core/messaging/broadcasts/outgoing.js';
import { smsBroadcasts } from './kind.js';
import { smsPresenter } from './present.js';

/** Broadcasts that go on, for operators who restored a backup. */
export const waitingBroadcasts = broadcastsKind('text-broadcasts', smsBroadcasts, async ({ db, emit }, broadcast) => {
  const data = { broadcast: await smsPresenter.one(db, broadcast) };
  emit('sms.broadcast.cancelled', { subjectId: broadcast.id, data });
});
