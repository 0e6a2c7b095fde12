import { broadcastList } from '#core/messaging/operations/broadcast/list.js';
import { smsChannel } from '../../channel.js';

export default broadcastList(smsChannel, { summary: 'Lists SMS broadcasts, newest first.', keywords: 'campaigns all' });
