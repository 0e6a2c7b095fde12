import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { boolean, list, object, optional } from '#core/kernel/schema/schema.js';
import { listTemplates } from '#core/messaging/templates/list.js';
import { Template } from '#core/messaging/templates/resource.js';
import { emailTemplates, systemTemplates } from '../../templates/channel.js';
import { exampleTemplate } from '../../templates/examples.js';

export default defineOperation({
  name: 'email.template.list',
  summary: 'List templates: the project’s own, newest first, and the built-in ones of system mail.',
  description:
    'System mail is what svc sends on the project’s behalf, such as invitations; a draft saved under such a template’s name replaces its texts. Those that nothing replaces come last, by name.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    system: optional(boolean('true: system templates alone; false: the project’s own alone.')),
    ...page,
  }),
  output: object({ templates: list(Template), nextBefore }),
  example: { input: { system: false }, output: { templates: [exampleTemplate], nextBefore: null } },

  async handle({ system, before, limit }, { db, caller, deployment }) {
    const only = system === undefined ? undefined : system ? ('system' as const) : ('own' as const);
    const known = systemTemplates(deployment);
    return listTemplates(db, emailTemplates, caller.environment.id, known, { before, limit, only });
  },
});
