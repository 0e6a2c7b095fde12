import { broadcastCancel } from '#core/messaging/operations/broadcast/cancel.js';
import { emailChannel } from '../../channel.js';

export default broadcastCancel(emailChannel);
