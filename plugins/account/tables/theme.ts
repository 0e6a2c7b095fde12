import { intColumn, jsonColumn, nullable, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';

export const themes = defineTable('account_theme', {
  environmentId: primary(uuidColumn()),
  /** How many times a theme has been published. */
  version: intColumn(),
  published: nullable(jsonColumn<PageTheme>()),
  draft: nullable(jsonColumn<PageTheme>()),
  publishedAt: nullable(timeColumn()),
  /** When the draft or the published theme was changed last. */
  updatedAt: nullable(timeColumn()),
});

export type ThemeRow = RowOf<typeof themes>;
