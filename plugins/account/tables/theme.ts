import { EntitySchema } from 'typeorm';
import { intColumn, jsonColumn, nullable, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import type { Look } from '../themes/appearance.js';

export interface ThemeRow {
  environmentId: string;
  /** How often it was published. */
  version: number;
  published: Look | null;
  draft: Look | null;
  publishedAt: Date | null;
}

export const themes = new EntitySchema<ThemeRow>({
  name: 'account_theme',
  columns: {
    environmentId: primary(uuidColumn()),
    version: intColumn(),
    published: nullable(jsonColumn()),
    draft: nullable(jsonColumn()),
    publishedAt: nullable(timeColumn()),
  },
});
