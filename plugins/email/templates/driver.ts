import type { ContentPart, TemplateDriver } from '#core/messaging/templates/driver.js';
import type { Locales } from '#core/messaging/templates/tables.js';
import { systemTemplateOf } from '#core/messaging/templates/system.js';
import { builtInSources } from './built-in.js';
import { templateTables, type CompiledTemplate, type TemplateSource } from '../tables/template.js';

/** How email keeps its templates (core/messaging/templates/driver.ts). */
export const emailTemplates: TemplateDriver<TemplateSource, CompiledTemplate> = {
  name: 'email',
  tables: templateTables,
  builtIn(deployment, name) {
    const system = systemTemplateOf(deployment, 'email', name);
    return system ? builtInSources(system) : null;
  },
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

/** The texts that must contain the required variables of a system template. */
export const isBody = (part: string): boolean => part === 'html' || part === 'text';

/** The texts of compiled contents, by locale. */
export const compiledParts = (compiled: Locales<CompiledTemplate>): Record<string, readonly ContentPart[]> =>
  Object.fromEntries(
    Object.entries(compiled).map(([locale, { subject, html, text }]) => [
      locale,
      emailTemplates.partsOf({ subject, html, text, preheader: null }),
    ]),
  );
