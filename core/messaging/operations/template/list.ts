import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import type { ChannelName, TemplateChannel } from '../../channel.js';
import { templateFilter } from '../../templates/input.js';
import { listTemplates } from '../../templates/list.js';
import { Template } from '../../templates/resource.js';
import type { Texts } from '../texts.js';

/** `<channel>.template.list`: the project's templates and the built-in system templates. */
export const templateList = <Name extends ChannelName>(
  { name, templates }: TemplateChannel<Name>,
  texts: Omit<Texts, 'keywords'>,
) =>
  defineOperation({
    name: `${name}.template.list`,
    ...texts,
    access: 'secret',
    impact: { read: true, retrySafe: true },
    input: object(templateFilter),
    output: object({ templates: list(Template), nextBefore }),
    example: { input: { system: false }, output: { templates: [templates.example.template], nextBefore: null } },

    handle: (input, context) => listTemplates(context, templates, input),
  });
