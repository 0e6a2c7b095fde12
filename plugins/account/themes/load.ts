import { updateTime } from '#core/kernel/audit/unchanged.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { PictureStore } from '#plugins/email/ports.js';
import { projects } from '../tables/project.js';
import { themes, type ThemeRow } from '../tables/theme.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';
import { defaultAppearance, type ThemeValue } from './appearance.js';

/** Used if email is not enabled: no input has a picture then. */
export const noPictures = (): PictureStore => ({
  async store() {
    throw new Error('Pictures are stored by the product email.');
  },
});

/** The time of a change that is made now. */
export const themeChangeTime = ({ updatedAt }: Pick<ThemeRow, 'updatedAt'>, now: Date): Date =>
  updatedAt ? updateTime({ updatedAt }, now) : now;

/** A theme as replies and events show it. */
export const presentTheme = (appearance: PageTheme, version: number, publishedAt: Date | null): ThemeValue => ({
  ...appearance,
  version,
  publishedAt: publishedAt?.toISOString() ?? null,
});

/** The environment's theme row; null if no theme has been saved. */
export const findTheme = (db: Session, environmentId: string): Promise<ThemeRow | null> =>
  db.findOne(themes, { environmentId });

/**
 * The environment's theme row, locked until the transaction ends, so that concurrent saves, publications and resets see
 * each other's result. Inserts an empty row first if there is none: if concurrent callers select an absent row FOR
 * UPDATE and then insert it, they deadlock. An empty row means the same as no row.
 */
export async function lockTheme(db: Session, environmentId: string): Promise<ThemeRow> {
  await db.run(
    'INSERT INTO account_theme (environment_id, version) VALUES (?, 0) ON DUPLICATE KEY UPDATE version = version',
    [idBytes(environmentId)],
  );
  const row = await findTheme(db, environmentId);
  if (!row) throw new Error(`The theme row of environment ${environmentId} is missing right after it was locked.`);
  return row;
}

/** The default theme, with the project's name as its brand name. */
export async function defaultTheme(db: Session, environment: Environment): Promise<ThemeValue> {
  const project = await db.findOne(projects, { id: environment.projectId });
  return presentTheme(defaultAppearance(project?.name ?? 'svc'), 0, null);
}

/** The theme of hosted pages and system mail: the published theme, or the default. */
export async function publishedTheme(db: Session, environment: Environment): Promise<ThemeValue> {
  const row = await findTheme(db, environment.id);
  return row?.published ? presentTheme(row.published, row.version, row.publishedAt) : defaultTheme(db, environment);
}
