import { turnsOf } from '#core/kernel/caller/share.js';
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
import { smsTemplates } from '../../templates/driver.js';
import { exampleTemplate } from '../../templates/examples.js';

export default defineOperation({
  name: 'sms.template.publish',
  summary: 'Publishes the draft as the next version.',
  description:
    'Messages that are already queued keep their version. A version never changes. If there is no draft, nothing changes.',
  keywords: 'release live version go',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({ template: templateKey }),
  output: object({ template: Template, version: integer('The published version.') }),
  errors: ['draft_missing', 'changed_meanwhile', 'template_missing_required', 'template_invalid'],
  events: ['sms.template.published'],
  example: { input: { template: exampleTemplate.template }, output: { template: exampleTemplate, version: 3 } },

  async prepare({ template: name }, context) {
    const draft = await readDraft(context, smsTemplates, name);
    if (!draft) return null;
    const { row, sources, system } = draft;
    const checked = await checkContents(turnsOf(context.caller.environment), smsTemplates, sources);
    if (system) {
      requireOverride(system, checked, () => true);
      await requireGuardedPlaces(turnsOf(context.caller.environment), system, partsByLocale(checked));
    }
    return { revision: row.revision, compiled: sources };
  },

  async handle({ template: name }, context) {
    const { template, version, hasChanged } = await publishTemplate(context, smsTemplates, name, context.prepared);
    if (hasChanged) context.emit('sms.template.published', { subjectId: name, data: { template, version } });
    return { template, version };
  },
});
