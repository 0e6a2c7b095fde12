import {
  templateColumns,
  templateContentColumns,
  templateVersionColumns,
  type TemplateTables,
} from '#core/messaging/templates/tables.js';
import { defineTable } from '#core/runtime/database/table.js';

/** The texts that a person wrote, in one locale. All are Liquid; at least one of html and text is present. */
export interface TemplateSource {
  subject: string;
  html: string | null;
  text: string | null;
  /** The text that mailboxes show next to the subject. */
  preheader: string | null;
}

/** The texts that messages are rendered from: CSS inlined, in the layout, with the preheader and a text part. */
export interface CompiledTemplate {
  subject: string;
  html: string | null;
  text: string;
  /** The text part was generated from the HTML. */
  isTextGenerated: boolean;
}

export const templates = defineTable('email_template', templateColumns);
export const templateVersions = defineTable('email_template_version', templateVersionColumns);
export const templateContents = defineTable(
  'email_template_content',
  templateContentColumns<TemplateSource, CompiledTemplate>(),
);

export const templateTables: TemplateTables<TemplateSource, CompiledTemplate> = {
  templates,
  versions: templateVersions,
  contents: templateContents,
};
