import type { Deployment } from '#core/kernel/deployment.js';
import type { EmailSystemTemplate } from '#core/kernel/system-template.js';
import type { ContentPart, TemplateChannel } from '#core/messaging/templates/channel.js';
import { templateTables, type CompiledTemplate, type TemplateSource } from '../tables/template.js';

/** How email keeps its templates (core/messaging/templates/channel.ts). */
export const emailTemplates: TemplateChannel<TemplateSource, CompiledTemplate> = {
  name: 'email',
  tables: templateTables,
  partsOf({ subject, html, text, preheader }) {
    const part = (name: string, source: string | null, escaping: ContentPart['escaping']): ContentPart[] =>
      source === null ? [] : [{ part: name, source, escaping }];
    return [
      ...part('subject', subject, 'none'),
      ...part('html', html, 'html'),
      ...part('text', text, 'none'),
      ...part('preheader', preheader, 'html'),
    ];
  },
};

/** The texts that a system template's required variables must stand in. */
export const isBody = (part: string): boolean => part === 'html' || part === 'text';

/** The system mails of the enabled products. */
export const systemTemplates = ({ systemTemplates: all }: Pick<Deployment, 'systemTemplates'>): EmailSystemTemplate[] =>
  all.flatMap((each) => (each.channel === 'email' ? [each] : []));

/** The system mail with a name, if there is one. */
export const systemTemplate = (
  deployment: Pick<Deployment, 'systemTemplates'>,
  name: string,
): EmailSystemTemplate | undefined => systemTemplates(deployment).find((each) => each.name === name);
