import type { SystemTemplate } from '../system-template.js';
import {
  boolean,
  dateTime,
  integer,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import type { TemplateRow } from './tables.js';

export const Template = named(
  'Template',
  object(
    {
      template: text('Its name.'),
      channel: oneOf(['email', 'sms'], 'The channel.'),
      description: nullable(text('What it is for.')),
      system: boolean('svc sends it on the project’s behalf. The built-in content is used until you publish your own.'),
      publishedVersion: nullable(integer('The published version; null if none is published.')),
      hasDraft: boolean('Whether there are unpublished changes.'),
      variables: list(text(), 'What the published version uses, or the draft if nothing is published.'),
      requiredVariables: list(text(), 'What each body of a system template must contain; empty for other templates.'),
      defaultLocale: text('The locale for recipients whose language is missing.'),
      createdAt: nullable(dateTime('Null for a system template that has not been overridden.')),
      updatedAt: nullable(dateTime('Null for a system template that has not been overridden.')),
    },
    {
      description: 'A template of messages.',
      columns: ['template', 'publishedVersion', 'hasDraft', 'system', 'description', 'updatedAt', 'createdAt'],
    },
  ),
);
export type TemplateValue = ValueOf<typeof Template>;

/**
 * A template as replies and events contain it.
 * @param system svc's declaration of a system template; undefined for the project's own
 */
export const presentTemplate = (
  channel: SystemTemplate['channel'],
  row: TemplateRow,
  system: SystemTemplate | undefined,
): TemplateValue => ({
  template: row.name,
  channel,
  description: row.description ?? system?.description ?? null,
  system: system !== undefined,
  publishedVersion: row.publishedVersion,
  hasDraft: row.hasDraft,
  variables: row.variables,
  requiredVariables: [...(system?.requiredVariables ?? [])],
  defaultLocale: row.defaultLocale,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** A system template whose built-in texts nothing replaces. */
export const presentBuiltIn = ({
  name,
  channel,
  description,
  variables,
  requiredVariables,
}: SystemTemplate): TemplateValue => ({
  template: name,
  channel,
  description,
  system: true,
  publishedVersion: null,
  hasDraft: false,
  variables: [...variables],
  requiredVariables: [...requiredVariables],
  defaultLocale: 'en',
  createdAt: null,
  updatedAt: null,
});
