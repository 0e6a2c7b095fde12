import { refusalOf } from '#core/kernel/errors/common.js';
import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, integer, list, nullable, object, optional, text } from '#core/kernel/schema/schema.js';
import { contentsOf } from '#core/messaging/templates/draft.js';
import { versionsOf } from '#core/messaging/templates/find.js';
import { presentBuiltIn, Template } from '#core/messaging/templates/resource.js';
import { builtInSources } from '../../system-mail/built-in.js';
import { templateTables } from '../../tables/template.js';
import { systemTemplate } from '../../templates/channel.js';
import { exampleSource, exampleTemplate } from '../../templates/examples.js';
import { findLiveTemplate, presentEmailTemplate, templateNotFound } from '../../templates/find.js';
import { presentContents, TemplateContent, templateKey } from '../../templates/resources.js';

export default defineOperation({
  name: 'email.template.get',
  summary: 'Get a template with its draft, its published texts in every locale, and its versions.',
  description:
    'Of a system template that nothing replaces, `published` holds the built-in texts: they can be saved as the draft of one’s own.',
  keywords: 'show content html history',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    template: templateKey,
    version: optional(integer('Show this version as `published`.', { minimum: 1, maximum: 2_147_483_647 })),
  }),
  output: object({
    template: Template,
    draft: nullable(TemplateContent),
    published: nullable(TemplateContent),
    versions: list(
      object({
        version: integer('Counts from 1.'),
        publishedAt: dateTime('When it was published.'),
        publishedBy: text('A key’s name or a member’s address.'),
      }),
      'The newest 100, newest first.',
    ),
  }),
  example: {
    input: { template: exampleTemplate.template },
    output: {
      template: exampleTemplate,
      draft: null,
      published: { en: exampleSource },
      versions: [{ version: 3, publishedAt: exampleTemplate.updatedAt, publishedBy: 'ada@example.com' }],
    },
  },

  async handle({ template: name, version }, { db, caller, deployment }) {
    const row = await findLiveTemplate(db, caller.environment.id, name);
    const system = systemTemplate(deployment, name);
    const template = row ? presentEmailTemplate(deployment, row) : system && presentBuiltIn(system);
    if (!template) throw templateNotFound();
    const found = row ? await versionsOf(db, templateTables, row, version) : [];
    const wanted = version === undefined ? row?.publishedId : found.find((each) => each.version === version)?.id;
    if (version !== undefined && !wanted)
      throw refusalOf.not_found({ thing: `version ${version} of the template`, lookup: 'email.template.get' });
    const [draft, published] = await Promise.all([
      row?.hasDraft ? contentsOf(db, templateTables, row.id) : undefined,
      wanted ? contentsOf(db, templateTables, wanted) : undefined,
    ]);
    const builtIn = system && !wanted ? builtInSources(system) : null;
    return {
      template,
      draft: draft ? presentContents(draft) : null,
      published: published ? presentContents(published) : builtIn,
      versions: found.map(({ version: number, publishedAt, publishedBy }) => ({
        version: number,
        publishedAt: publishedAt.toISOString(),
        publishedBy,
      })),
    };
  },
});
