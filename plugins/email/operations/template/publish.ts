import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { integer, object } from '#core/kernel/schema/schema.js';
import { checkContents, requireOverride } from '#core/messaging/templates/check.js';
import { contentsOf } from '#core/messaging/templates/draft.js';
import { publishDraft } from '#core/messaging/templates/publish.js';
import { Template } from '#core/messaging/templates/resource.js';
import { directory } from '#plugins/account/ports.js';
import { templateTables } from '../../tables/template.js';
import { emailTemplates, isBody, systemTemplate } from '../../templates/channel.js';
import { compileAll } from '../../templates/compile/compile-pool.js';
import { exampleTemplate } from '../../templates/examples.js';
import { findLiveTemplate, presentEmailTemplate, templateNotFound } from '../../templates/find.js';
import { templateKey } from '../../templates/resources.js';

export default defineOperation({
  name: 'email.template.publish',
  summary: 'Publish the draft of a template as its next version.',
  description:
    'From then on it is sent; messages already queued keep theirs. A version never changes: its CSS is inlined and the layout put around it in the colours that the theme has now, so publish again after a change of the theme. A template without a draft stays as it is.',
  keywords: 'release live version go',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({ template: templateKey }),
  output: object({ template: Template, version: integer('The version that is sent now.') }),
  errors: ['draft_missing', 'template_missing_required', 'template_invalid'],
  events: ['email.template.published'],
  example: { input: { template: exampleTemplate.template }, output: { template: exampleTemplate, version: 3 } },

  async prepare({ template: name }, { caller, db, deployment, use, fail }) {
    const { environment } = caller;
    const row = await findLiveTemplate(db, environment.id, name);
    const system = systemTemplate(deployment, name);
    if (!row && !system) throw templateNotFound();
    if (!row?.hasDraft) {
      if (row?.publishedVersion) return null;
      throw fail.draft_missing({ thing: `template ${name}`, save: 'email.template.draft.save' });
    }
    const [contents, theme] = await Promise.all([
      contentsOf(db, templateTables, row.id),
      use(directory).theme(environment),
    ]);
    const sources = Object.fromEntries(contents.map(({ locale, source }) => [locale, source]));
    if (system) requireOverride(system, await checkContents(environment.id, emailTemplates, sources), isBody);
    return { revision: row.revision, compiled: await compileAll(environment.id, sources, theme) };
  },

  async handle({ template: name }, { db, caller, clock, deployment, emit, audit, prepared: draft }) {
    const environmentId = caller.environment.id;
    if (!draft) {
      const row = await findLiveTemplate(db, environmentId, name);
      if (!row?.publishedVersion) throw templateNotFound();
      audit({
        subject: { type: 'template', id: name },
        summary: `Published the template ${name}.`,
        changes: [],
        unchanged: `${name} has no draft, and version ${row.publishedVersion} is published.`,
      });
      return { template: presentEmailTemplate(deployment, row), version: row.publishedVersion };
    }
    const facts = { environmentId, name, publishedBy: caller.label, now: clock.now() };
    const { before, after } = await publishDraft(db, emailTemplates, facts, draft);
    const template = presentEmailTemplate(deployment, after);
    const fields = ['publishedVersion', 'hasDraft', 'variables'] as const;
    audit({
      subject: { type: 'template', id: name },
      summary: `Published version ${after.lastVersion} of the template ${name}.`,
      changes: changesBetween(presentEmailTemplate(deployment, before), template, fields),
    });
    emit('email.template.published', { subjectId: name, data: { template, version: after.lastVersion } });
    return { template, version: after.lastVersion };
  },
});
