import { templateDelete } from '#core/messaging/operations/template/delete.js';
import { smsChannel } from '../../channel.js';

export default templateDelete(smsChannel);
