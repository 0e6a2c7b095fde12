import { intColumn, jsonColumn, nullable, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import type { Appearance } from '../themes/appearance.js';

export const themes = defineTable('account_theme', {
  environmentId: primary(uuidColumn()),
  /** How many times a theme was published. */
  version: intColumn(),
  published: nullable(jsonColumn<Appearance>()),
  draft: nullable(jsonColumn<Appearance>()),
  publishedAt: nullable(timeColumn()),
});

export type ThemeRow = RowOf<typeof themes>;
