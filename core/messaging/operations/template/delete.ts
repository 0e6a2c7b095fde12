import { changesBetween } from '#core/kernel/audit/changes.js';
import type { HandlerContext } from '#core/kernel/context.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import type { ChannelName, TemplateChannel } from '../../channel.js';
import { messagingRefusalOf } from '../../errors.js';
import { describeReferences } from '../../references.js';
import type { ChannelTemplates } from '../../templates/channel.js';
import { lockTemplate } from '../../templates/find.js';
import { templateKey } from '../../templates/input.js';
import { presentBuiltIn, Template, type TemplateValue } from '../../templates/resource.js';
import { presentOwn, templateNotFound, templateSubject } from '../../templates/show.js';
import { requireMayOverride } from '../../templates/system.js';
import type { TemplateRow } from '../../templates/tables.js';

/** `<channel>.template.delete`: deletes a template, or restores the built-in content of a system template. */
export const templateDelete = <Name extends ChannelName>({ name, templates }: TemplateChannel<Name>) =>
  defineOperation({
    name: `${name}.template.delete`,
    summary: 'Deletes a template that is not referenced by anything scheduled or active.',
    description: `A system template reverts to its built-in ${templates.noun}. The draft and all versions are deleted; messages that are already queued keep their content. Deleting a template again changes nothing. A new template of the same name continues the version numbers.`,
    keywords: 'remove override reset built-in',
    access: 'secret',
    impact: { destructive: true, retrySafe: true },
    input: object({ template: templateKey }),
    output: object({ template: Template }),
    errors: ['template_in_use'],
    events: [`${templates.name}.template.deleted`],
    example: {
      input: { template: templates.example.template.template },
      output: { template: { ...templates.example.template, publishedVersion: null } },
    },

    async handle({ template: name }, context) {
      const { template, hasChanged } = await remove(context, templates, name);
      if (hasChanged) context.emit(`${templates.name}.template.deleted`, { subjectId: name, data: { template } });
      return { template };
    },
  });

/** @throws not_found, template_in_use, permission_required */
async function remove(
  context: Pick<HandlerContext<'secret'>, 'db' | 'caller' | 'clock' | 'deployment' | 'audit'>,
  templates: ChannelTemplates,
  name: string,
): Promise<{ template: TemplateValue; hasChanged: boolean }> {
  const { db, caller, clock, audit } = context;
  const system = requireMayOverride(context, templates.name, name, 'delete');
  const before = await lockTemplate(db, templates.tables, caller.environment.id, name);
  if (!before && !system) throw templateNotFound(templates.name);
  if (!before || before.deletedAt) {
    audit({
      subject: templateSubject(name),
      summary: `Deleted the template ${name}.`,
      changes: [],
      unchanged: system ? `${name} already had its built-in content.` : `the template ${name} was already deleted.`,
    });
    if (system) return { template: presentBuiltIn(system), hasChanged: false };
    if (!before) throw templateNotFound(templates.name);
    return { template: presentOwn(context, templates, before), hasChanged: false };
  }
  // Built-in texts replace a system template, so nothing that is referred to is lost.
  const users = system
    ? []
    : await templates.references.referencesTo(db, [caller.environment.id], { kind: 'template', target: name });
  if (users.length > 0) throw messagingRefusalOf.template_in_use({ template: name, users: describeReferences(users) });
  const now = clock.now();
  // Versions stay readable by id, for messages that were queued before.
  const after: TemplateRow = {
    ...before,
    hasDraft: false,
    publishedId: null,
    publishedVersion: null,
    firstVersion: before.lastVersion + 1,
    revision: before.revision + 1,
    updatedAt: now,
    deletedAt: now,
  };
  await db.remove(templates.tables.contents, { ownerId: before.id });
  await db.run(templates.tables.templates.updateRow({ id: before.id }, after));
  const template = system ? presentBuiltIn(system) : presentOwn(context, templates, after);
  audit({
    subject: templateSubject(name),
    summary: system ? `Reset the system template ${name} to its built-in content.` : `Deleted the template ${name}.`,
    changes: changesBetween(presentOwn(context, templates, before), template, ['publishedVersion', 'hasDraft']),
  });
  return { template, hasChanged: true };
}
