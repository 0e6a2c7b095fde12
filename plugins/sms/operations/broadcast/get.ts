import { broadcastGet } from '#core/messaging/operations/broadcast/get.js';
import { smsChannel } from '../../channel.js';

export default broadcastGet(smsChannel, { failed: 'message.error.message' });
