import { templateList } from '#core/messaging/operations/template/list.js';
import { smsChannel } from '../../channel.js';

export default templateList(smsChannel, {
  summary: 'Lists the project’s own SMS templates and the built-in system templates.',
  description:
    'Your own templates come first, newest first, followed by the built-in ones by name. System templates are what svc sends on the project’s behalf, such as sign-in codes. To override one, save a draft under its name and publish it.',
});
