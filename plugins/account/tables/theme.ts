import { EntitySchema } from 'typeorm';
import { intColumn, jsonColumn, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
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
    environmentId: { ...uuidColumn(), primary: true },
    version: intColumn(),
    published: jsonColumn({ nullable: true }),
    draft: jsonColumn({ nullable: true }),
    publishedAt: timeColumn({ nullable: true }),
  },
});
