import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { templateKey } from '#core/messaging/templates/input.js';
import { deleteTemplate } from '#core/messaging/templates/operations.js';
import { Template } from '#core/messaging/templates/resource.js';
import { emailTemplates } from '../../templates/driver.js';
import { exampleTemplate } from '../../templates/examples.js';
import { referencesTo } from '../../senders/references.js';

export default defineOperation({
  name: 'email.template.delete',
  summary: 'Deletes a template that is not referenced by anything scheduled or active.',
  description:
    'A system template reverts to its built-in content. The draft and all versions are deleted; messages that are already queued keep their content. Deleting a template again changes nothing. A new template of the same name continues the version numbers.',
  keywords: 'remove override reset built-in',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ template: templateKey }),
  output: object({ template: Template }),
  errors: ['template_in_use'],
  events: ['email.template.deleted'],
  example: {
    input: { template: exampleTemplate.template },
    output: { template: { ...exampleTemplate, publishedVersion: null } },
  },

  async handle({ template: name }, context) {
    const { template, hasChanged } = await deleteTemplate(context, emailTemplates, { referencesTo }, name);
    if (hasChanged) context.emit('email.template.deleted', { subjectId: name, data: { template } });
    return { template };
  },
});
