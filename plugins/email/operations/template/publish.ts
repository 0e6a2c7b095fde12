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
import { directory } from '#plugins/account/ports.js';
import { compiledParts, emailTemplates, isBody } from '../../templates/driver.js';
import { compileAll } from '../../templates/compile/compile-pool.js';
import { exampleTemplate } from '../../templates/examples.js';

export default defineOperation({
  name: 'email.template.publish',
  summary: 'Publishes the draft as the next version.',
  description:
    'Messages that are already queued keep their version. A version never changes: its CSS is inlined and the layout is applied in the theme’s current colours, so publish again after changing the theme. If there is no draft, nothing changes.',
  keywords: 'release live version go',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({ template: templateKey }),
  output: object({ template: Template, version: integer('The published version.') }),
  errors: ['draft_missing', 'changed_meanwhile', 'template_missing_required', 'template_invalid'],
  events: ['email.template.published'],
  example: { input: { template: exampleTemplate.template }, output: { template: exampleTemplate, version: 3 } },

  async prepare({ template: name }, context) {
    const { environment } = context.caller;
    const draft = await readDraft(context, emailTemplates, name);
    if (!draft) return null;
    const { row, sources, system } = draft;
    const theme = await context.use(directory).theme(environment);
    const checked = system && (await checkContents(turnsOf(environment), emailTemplates, sources));
    if (system && checked) {
      requireOverride(system, checked, isBody);
      await requireGuardedPlaces(turnsOf(environment), system, partsByLocale(checked));
    }
    const compiled = await compileAll(turnsOf(environment), sources, theme);
    // Once more in the form in which it is sent: in the layout, and with the text that was generated from the HTML.
    if (system) await requireGuardedPlaces(turnsOf(environment), system, compiledParts(compiled));
    return { revision: row.revision, compiled };
  },

  async handle({ template: name }, context) {
    const { template, version, hasChanged } = await publishTemplate(context, emailTemplates, name, context.prepared);
    if (hasChanged) context.emit('email.template.published', { subjectId: name, data: { template, version } });
    return { template, version };
  },
});
