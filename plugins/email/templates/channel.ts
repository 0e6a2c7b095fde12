import { turnsOf } from '#core/kernel/caller/share.js';
import type { ChannelTemplates, ContentPart } from '#core/messaging/templates/channel.js';
import {
  checkContents,
  partsByLocale,
  requireGuardedPlaces,
  requireOverride,
} from '#core/messaging/templates/check.js';
import { systemTemplateOf } from '#core/messaging/templates/system.js';
import { directory } from '#plugins/account/ports.js';
import { emailReferences } from '../senders/references.js';
import { templateTables, type CompiledTemplate, type TemplateSource } from '../tables/template.js';
import { builtInSources } from './built-in.js';
import { compileAll } from './compile/compile-pool.js';
import { exampleGiven, exampleSource, exampleTemplate } from './examples.js';
import { readSource, sourceInput, TemplateContent, type GivenSource } from './resources.js';

/** The templates of email. */
export const emailTemplates: ChannelTemplates<TemplateSource, CompiledTemplate, GivenSource> = {
  name: 'email',
  tables: templateTables,
  noun: 'content',
  input: sourceInput,
  contents: TemplateContent,
  example: { template: exampleTemplate, given: exampleGiven, source: exampleSource },
  references: emailReferences,
  read: readSource,
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
  isBody: (part) => part === 'html' || part === 'text',
  async compile({ caller: { environment }, use }, sources, system) {
    const turns = turnsOf(environment);
    const theme = await use(directory).theme(environment);
    if (system) {
      const checked = await checkContents(turns, emailTemplates, sources);
      requireOverride(system, checked, emailTemplates.isBody);
      await requireGuardedPlaces(turns, system, partsByLocale(checked));
    }
    const compiled = await compileAll(turns, sources, theme);
    // Once more in the form in which it is sent: in the layout, and with the text that was generated from the HTML.
    if (system) await requireGuardedPlaces(turns, system, sentParts(compiled));
    return compiled;
  },
};

/** The texts of compiled contents, by locale. */
const sentParts = (compiled: Readonly<Record<string, CompiledTemplate>>): Record<string, readonly ContentPart[]> =>
  Object.fromEntries(
    Object.entries(compiled).map(([locale, { subject, html, text }]) => [
      locale,
      emailTemplates.partsOf({ subject, html, text, preheader: null }),
    ]),
  );
