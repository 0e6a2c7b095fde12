import { templateDelete } from '#core/messaging/operations/template/delete.js';
import { emailChannel } from '../../channel.js';

export default templateDelete(emailChannel);
