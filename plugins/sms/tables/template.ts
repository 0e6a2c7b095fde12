import {
  templateColumns,
  templateContentColumns,
  templateVersionColumns,
  type TemplateTables,
} from '#core/messaging/templates/tables.js';
import { defineTable } from '#core/runtime/database/table.js';

/** A text in one locale, in Liquid: people write it, and it is rendered. */
export interface TemplateBody {
  body: string;
}

export const templates = defineTable('sms_template', templateColumns);
export const templateVersions = defineTable('sms_template_version', templateVersionColumns);
export const templateContents = defineTable(
  'sms_template_content',
  templateContentColumns<TemplateBody, TemplateBody>(),
);

export const templateTables: TemplateTables<TemplateBody, TemplateBody> = {
  templates,
  versions: templateVersions,
  contents: templateContents,
};
