import { broadcastsKind } from '#core/messaging/broadcasts/outgoing.js';
import { emailBroadcasts } from './kind.js';
import { presentOne } from './present.js';

/** Broadcasts that go on, for operators who restored a backup. */
export const waitingBroadcasts = broadcastsKind('mail-broadcasts', emailBroadcasts, async ({ db, emit }, broadcast) => {
  emit('email.broadcast.cancelled', { subjectId: broadcast.id, data: { broadcast: await presentOne(db, broadcast) } });
});
