import { templatePublish } from '#core/messaging/operations/template/publish.js';
import { smsChannel } from '../../channel.js';

export default templatePublish(smsChannel, {
  description:
    'Messages that are already queued keep their version. A version never changes. If there is no draft, nothing changes.',
});
