import type { Deployment } from '#core/kernel/deployment.js';
import type { SmsSystemTemplate } from '#core/kernel/system-template.js';
import type { TemplateChannel } from '#core/messaging/templates/channel.js';
import { templateTables, type TemplateBody } from '../tables/template.js';

/** How sms keeps its templates (core/messaging/templates/channel.ts). What a person writes is what is rendered. */
export const smsTemplates: TemplateChannel<TemplateBody, TemplateBody> = {
  name: 'sms',
  tables: templateTables,
  partsOf: ({ body }) => [{ part: 'body', source: body, escaping: 'none' }],
};

/** The system texts of the enabled products. */
export const systemTemplates = ({ systemTemplates: all }: Pick<Deployment, 'systemTemplates'>): SmsSystemTemplate[] =>
  all.flatMap((each) => (each.channel === 'sms' ? [each] : []));

/** The system text with a name, if there is one. */
export const systemTemplate = (
  deployment: Pick<Deployment, 'systemTemplates'>,
  name: string,
): SmsSystemTemplate | undefined => systemTemplates(deployment).find((each) => each.name === name);
