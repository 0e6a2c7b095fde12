import { templatePublish } from '#core/messaging/operations/template/publish.js';
import { emailChannel } from '../../channel.js';

export default templatePublish(emailChannel, {
  description:
    'Messages that are already queued keep their version. A version never changes: its CSS is inlined and the layout is applied in the theme’s current colours, so publish again after changing the theme. If there is no draft, nothing changes.',
});
