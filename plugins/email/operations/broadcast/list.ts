import { broadcastList } from '#core/messaging/operations/broadcast/list.js';
import { emailChannel } from '../../channel.js';

export default broadcastList(emailChannel, {
  summary: 'Lists broadcasts, newest first.',
  keywords: 'newsletters campaigns mailings all',
});
