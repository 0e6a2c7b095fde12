import { defineOperation } from '#core/kernel/operation.js';
import { integer, object } from '#core/kernel/schema/schema.js';
import {
  checkContents,
  partsByLocale,
  requireGuardedPlaces,
  requireOverride,
} from '#core/messaging/templates/check.js';
import { templateKey } from '#core/messaging/templates/input.js';
import { publishTemplate, readDraft } from '#core/messaging/templates/operations.js';
import { Template } from '#core/messaging/templates/resource.js';
import { smsTemplates } from '../../templates/channel.js';
import { exampleTemplate } from '../../templates/examples.js';

export default defineOperation({
  name: 'sms.template.publish',
  summary: 'Publish the draft of a text template as its next version.',
  description:
    'From then on it is sent; texts already queued keep theirs. A version never changes. A template without a draft stays as it is.',
  keywords: 'release live version go',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({ template: templateKey }),
  output: object({ template: Template, version: integer('The version that is sent now.') }),
  errors: ['draft_missing', 'template_missing_required', 'template_invalid'],
  events: ['sms.template.published'],
  example: { input: { template: exampleTemplate.template }, output: { template: exampleTemplate, version: 3 } },

  async prepare({ template: name }, context) {
    const draft = await readDraft(context, smsTemplates, name);
    if (!draft) return null;
    const { row, sources, system } = draft;
    const checked = await checkContents(context.caller.environment.id, smsTemplates, sources);
    if (system) {
      requireOverride(system, checked, () => true);
      await requireGuardedPlaces(context.caller.environment.id, system, partsByLocale(checked));
    }
    return { revision: row.revision, compiled: sources };
  },

  async handle({ template: name }, context) {
    const { template, version, hasChanged } = await publishTemplate(context, smsTemplates, name, context.prepared);
    if (hasChanged) context.emit('sms.template.published', { subjectId: name, data: { template, version } });
    return { template, version };
  },
});
