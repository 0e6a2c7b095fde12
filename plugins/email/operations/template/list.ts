import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { templateFilter } from '#core/messaging/templates/input.js';
import { listTemplates } from '#core/messaging/templates/list.js';
import { Template } from '#core/messaging/templates/resource.js';
import { emailTemplates } from '../../templates/driver.js';
import { exampleTemplate } from '../../templates/examples.js';

export default defineOperation({
  name: 'email.template.list',
  summary:
    'Lists the project’s own templates and the built-in system templates (sign-in code, magic link, invitations), which can be overridden.',
  description:
    'Your own templates come first, newest first, followed by the built-in ones by name. System templates are what svc sends on the project’s behalf. To override one, save a draft under its name and publish it.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object(templateFilter),
  output: object({ templates: list(Template), nextBefore }),
  example: { input: { system: false }, output: { templates: [exampleTemplate], nextBefore: null } },

  handle: (input, context) => listTemplates(context, emailTemplates, input),
});
