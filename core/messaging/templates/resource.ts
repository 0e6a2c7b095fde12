import type { SystemTemplate } from '#core/messaging/system-template.js';
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
      channel: oneOf(['email', 'sms'], 'What it is sent on.'),
      description: nullable(text('What it is for.')),
      system: boolean('svc sends it on the project’s behalf. Built-in texts are used until another one is published.'),
      publishedVersion: nullable(integer('The version that is sent; null while nothing is published.')),
      hasDraft: boolean('There are changes that are not published.'),
      variables: list(text(), 'What the published version uses, or the draft while there is none.'),
      requiredVariables: list(text(), 'What each body of a system template must use; empty for others.'),
      defaultLocale: text('The language of recipients whose own is not there.'),
      createdAt: nullable(dateTime('Null for a system template that nothing replaces.')),
      updatedAt: nullable(dateTime('Null for a system template that nothing replaces.')),
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
