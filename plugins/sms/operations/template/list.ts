import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { templateFilter } from '#core/messaging/templates/input.js';
import { listTemplates } from '#core/messaging/templates/list.js';
import { Template } from '#core/messaging/templates/resource.js';
import { smsTemplates } from '../../templates/channel.js';
import { exampleTemplate } from '../../templates/examples.js';

export default defineOperation({
  name: 'sms.template.list',
  summary: 'List text templates: the project’s own, newest first, and the built-in ones of system texts.',
  description:
    'System texts are what svc sends on the project’s behalf, such as sign-in codes; a draft saved under such a template’s name replaces its texts. Those that nothing replaces come last, by name.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object(templateFilter),
  output: object({ templates: list(Template), nextBefore }),
  example: { input: { system: false }, output: { templates: [exampleTemplate], nextBefore: null } },

  handle: (input, context) => listTemplates(context, smsTemplates, input),
});
