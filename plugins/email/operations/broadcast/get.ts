import { broadcastGet } from '#core/messaging/operations/broadcast/get.js';
import { emailChannel } from '../../channel.js';

export default broadcastGet(emailChannel, { failed: 'recipients.response', bounced: 'bounce.detail' });
