import { broadcastCancel } from '#core/messaging/operations/broadcast/cancel.js';
import { smsChannel } from '../../channel.js';

export default broadcastCancel(smsChannel);
