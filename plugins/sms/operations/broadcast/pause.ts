import { broadcastPause } from '#core/messaging/operations/broadcast/pause.js';
import { smsChannel } from '../../channel.js';

export default broadcastPause(smsChannel, {
  summary: 'Holds the broadcast’s messages that have not yet been submitted to the carrier.',
});
