import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { templateKey } from '#core/messaging/templates/input.js';
import { deleteTemplate } from '#core/messaging/templates/operations.js';
import { Template } from '#core/messaging/templates/resource.js';
import { smsTemplates } from '../../templates/driver.js';
import { exampleTemplate } from '../../templates/examples.js';
import { smsReferences } from '../../tables/reference.js';

export default defineOperation({
  name: 'sms.template.delete',
  summary: 'Deletes a template that is not referenced by anything scheduled or active.',
  description:
    'A system template reverts to its built-in text. The draft and all versions are deleted; messages that are already queued keep their content. Deleting a template again changes nothing. A new template of the same name continues the version numbers.',
  keywords: 'remove override reset built-in',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ template: templateKey }),
  output: object({ template: Template }),
  errors: ['template_in_use'],
  events: ['sms.template.deleted'],
  example: {
    input: { template: exampleTemplate.template },
    output: { template: { ...exampleTemplate, publishedVersion: null } },
  },

  async handle({ template: name }, context) {
    const { template, hasChanged } = await deleteTemplate(context, smsTemplates, smsReferences, name);
    if (hasChanged) context.emit('sms.template.deleted', { subjectId: name, data: { template } });
    return { template };
  },
});
