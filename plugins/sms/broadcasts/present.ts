import { broadcastPresenter, presentShared } from '#core/messaging/broadcasts/present.js';
import { smsChannel } from '../messages/channel.js';
import { broadcastTables } from '../tables/broadcast.js';

/** Presents broadcasts with their counts. */
export const smsPresenter = broadcastPresenter({ tables: broadcastTables, channel: smsChannel }, presentShared);
