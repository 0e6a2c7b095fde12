import { templateList } from '#core/messaging/operations/template/list.js';
import { emailChannel } from '../../channel.js';

export default templateList(emailChannel, {
  summary:
    'Lists the project’s own templates and the built-in system templates (sign-in code, magic link, invitations), which can be overridden.',
  description:
    'Your own templates come first, newest first, followed by the built-in ones by name. System templates are what svc sends on the project’s behalf. To override one, save a draft under its name and publish it.',
});
