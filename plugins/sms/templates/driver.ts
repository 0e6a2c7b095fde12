import type { TemplateDriver } from '#core/messaging/templates/driver.js';
import { systemTemplateOf } from '#core/messaging/templates/system.js';
import { templateTables, type TemplateBody } from '../tables/template.js';

/** How sms keeps its templates (core/messaging/templates/driver.ts). The text that a person writes is rendered. */
export const smsTemplates: TemplateDriver<TemplateBody, TemplateBody> = {
  name: 'sms',
  tables: templateTables,
  builtIn: (deployment, name) => systemTemplateOf(deployment, 'sms', name)?.locales ?? null,
  partsOf: ({ body }) => [{ part: 'body', source: body, escaping: 'none' }],
};
