import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { describeUsages } from '#core/kernel/usage.js';
import { object } from '#core/kernel/schema/schema.js';
import { lockTemplate } from '#core/messaging/templates/find.js';
import { removeTemplate } from '#core/messaging/templates/remove.js';
import { presentBuiltIn, Template } from '#core/messaging/templates/resource.js';
import { templateTables } from '../../tables/template.js';
import { systemTemplate } from '../../templates/channel.js';
import { exampleTemplate } from '../../templates/examples.js';
import { presentEmailTemplate, templateNotFound } from '../../templates/find.js';
import { templateKey } from '../../templates/resources.js';
import { usagesOf } from '../../usage/usage.js';

export default defineOperation({
  name: 'email.template.delete',
  summary:
    'Delete a template that nothing scheduled or active uses. A system template goes back to its built-in texts.',
  description:
    'Draft and versions are gone; messages already queued keep their content. A template that is deleted already stays deleted. A new template of the same name goes on counting versions where this one ended.',
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

  async handle({ template: name }, { db, caller, clock, deployment, fail, emit, audit }) {
    const environmentId = caller.environment.id;
    const before = await lockTemplate(db, templateTables, environmentId, name);
    const system = systemTemplate(deployment, name);
    if (!before && !system) throw templateNotFound();
    if (!before || before.deletedAt) {
      audit({
        subject: { type: 'template', id: name },
        summary: `Deleted the template ${name}.`,
        changes: [],
        unchanged: system ? `${name} has its built-in texts.` : `the template ${name} was deleted already.`,
      });
      if (system) return { template: presentBuiltIn(system) };
      if (!before) throw templateNotFound();
      return { template: presentEmailTemplate(deployment, before) };
    }
    // Built-in texts stand in for a system template, so nothing that is in use goes missing.
    const usages = system ? [] : await usagesOf(db, [environmentId], { kind: 'template', target: name });
    if (usages.length > 0) throw fail.template_in_use({ template: name, users: describeUsages(usages) });
    const after = await removeTemplate(db, templateTables, before, clock.now());
    const template = system ? presentBuiltIn(system) : presentEmailTemplate(deployment, after);
    const fields = ['publishedVersion', 'hasDraft'] as const;
    audit({
      subject: { type: 'template', id: name },
      summary: system ? `Gave the system template ${name} its built-in texts back.` : `Deleted the template ${name}.`,
      changes: changesBetween(presentEmailTemplate(deployment, before), template, fields),
    });
    emit('email.template.deleted', { subjectId: name, data: { template } });
    return { template };
  },
});
