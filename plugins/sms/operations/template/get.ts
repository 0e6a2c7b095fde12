import { templateGet } from '#core/messaging/operations/template/get.js';
import { smsChannel } from '../../channel.js';

export default templateGet(smsChannel, {
  summary: 'Returns a template with its draft, its published text in every locale and its versions.',
  keywords: 'show content body history',
});
