import { turnsOf } from '#core/kernel/caller/share.js';
import type { ChannelTemplates } from '#core/messaging/templates/channel.js';
import {
  checkContents,
  partsByLocale,
  requireGuardedPlaces,
  requireOverride,
} from '#core/messaging/templates/check.js';
import { systemTemplateOf } from '#core/messaging/templates/system.js';
import { smsReferences } from '../tables/reference.js';
import { templateTables, type TemplateBody } from '../tables/template.js';
import { exampleBody, exampleTemplate } from './examples.js';
import { bodyInput, SmsTemplateContent } from './resources.js';

/** The templates of sms. The text that a person writes is rendered. */
export const smsTemplates: ChannelTemplates<TemplateBody, TemplateBody, TemplateBody> = {
  name: 'sms',
  tables: templateTables,
  noun: 'text',
  input: bodyInput,
  contents: SmsTemplateContent,
  example: { template: exampleTemplate, given: exampleBody, source: exampleBody },
  references: smsReferences,
  read: ({ body }) => ({ body }),
  builtIn: (deployment, name) => systemTemplateOf(deployment, 'sms', name)?.locales ?? null,
  partsOf: ({ body }) => [{ part: 'body', source: body, escaping: 'none' }],
  isBody: () => true,
  async compile({ caller }, sources, system) {
    const turns = turnsOf(caller.environment);
    const checked = await checkContents(turns, smsTemplates, sources);
    if (system) {
      requireOverride(system, checked, smsTemplates.isBody);
      await requireGuardedPlaces(turns, system, partsByLocale(checked));
    }
    return sources;
  },
};
