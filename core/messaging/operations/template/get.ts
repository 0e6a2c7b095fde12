import { defineOperation } from '#core/kernel/operation.js';
import { nullable, object } from '#core/kernel/schema/schema.js';
import type { ChannelName, TemplateChannel } from '../../channel.js';
import type { ChannelTemplates } from '../../templates/channel.js';
import { shownVersion, templateKey, versionList } from '../../templates/input.js';
import { Template } from '../../templates/resource.js';
import { showTemplate } from '../../templates/show.js';
import type { Texts } from '../texts.js';

/** What the operation is on every channel, besides its reply. */
export const templateGetParts = ({ noun }: Pick<ChannelTemplates, 'noun'>) => ({
  description: `For a system template that has not been overridden, \`published\` contains the built-in ${noun}, which you can save as your own draft.`,
  access: 'secret' as const,
  impact: { read: true, retrySafe: true },
  input: object({ template: templateKey, version: shownVersion }),
});

/** The fields of the reply. */
export const shownFields = <Source>({ contents }: Pick<ChannelTemplates<Source>, 'contents'>) => ({
  template: Template,
  draft: nullable(contents),
  published: nullable(contents),
  versions: versionList,
});

/** The example of the reply. */
export const exampleShown = <Source>({ example: { template, source } }: Pick<ChannelTemplates<Source>, 'example'>) => ({
  template,
  draft: null,
  published: { en: source },
  versions: [{ version: 3, publishedAt: template.updatedAt ?? '', publishedBy: 'ada@example.com' }],
});

/** `<channel>.template.get`: a template with its draft, its published content and its versions. */
export const templateGet = <Name extends ChannelName, Source>(
  { name, templates }: TemplateChannel<Name, Source>,
  texts: Omit<Texts, 'description'>,
) =>
  defineOperation({
    name: `${name}.template.get`,
    ...texts,
    ...templateGetParts(templates),
    output: object(shownFields(templates)),
    example: { input: { template: templates.example.template.template }, output: exampleShown(templates) },

    handle: (input, context) => showTemplate(context, templates, input),
  });
