import { broadcastPause } from '#core/messaging/operations/broadcast/pause.js';
import { emailChannel } from '../../channel.js';

export default broadcastPause(emailChannel, {
  summary: 'Holds the broadcast’s messages that have not yet been submitted for delivery.',
});
