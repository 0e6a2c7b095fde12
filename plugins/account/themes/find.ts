import type { Environment } from '#core/kernel/caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import { projects } from '../tables/project.js';
import { themes, type ThemeRow } from '../tables/theme.js';
import { defaultAppearance, type Appearance, type ThemeValue } from './appearance.js';

/** A look as replies carry it. */
export const presentTheme = (look: Appearance, version: number, publishedAt: Date | null): ThemeValue => ({
  ...look,
  version,
  publishedAt: publishedAt?.toISOString() ?? null,
});

/** The environment's theme row, where it has one. */
export const themeRow = (db: Session, environmentId: string): Promise<ThemeRow | null> =>
  db.findOne(themes, { environmentId });

/** The default theme, in the name of the environment's project. */
export async function defaultTheme(db: Session, environment: Environment): Promise<ThemeValue> {
  const project = await db.findOne(projects, { id: environment.projectId });
  return presentTheme(defaultAppearance(project?.name ?? 'svc'), 0, null);
}

/** What hosted pages and system mail look like now. */
export async function publishedTheme(db: Session, environment: Environment): Promise<ThemeValue> {
  const row = await themeRow(db, environment.id);
  return row?.published ? presentTheme(row.published, row.version, row.publishedAt) : defaultTheme(db, environment);
}
