import { updateTime } from '#core/kernel/audit/unchanged.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { PictureStore } from '#plugins/email/ports.js';
import { isListed } from '../projects/insert-project.js';
import { deploymentSettings } from '../settings.js';
import { accounts } from '../tables/account.js';
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

/** What the name of an environment is read from. */
type NameContext = Pick<Context, 'db' | 'deployment'>;

/**
 * The name that the users of an environment know it by: the project's. The members of accounts sign in to a reserved
 * project, whose name means nothing to them, so they see the name of the deployment.
 */
export async function nameForUsers({ db, deployment }: NameContext, environment: Environment): Promise<string> {
  const project = await db.findOne(projects, { id: environment.projectId });
  if (!project || isListed(project)) return project?.name ?? 'svc';
  const { name } = deployment.settingsOf(deploymentSettings);
  return name ?? (await db.findOne(accounts, { id: environment.accountId }))?.name ?? 'svc';
}

/** The default theme, with the name that users know the environment by as its brand name. */
export async function defaultTheme(context: NameContext, environment: Environment): Promise<ThemeValue> {
  return presentTheme(defaultAppearance(await nameForUsers(context, environment)), 0, null);
}

/** The theme of hosted pages and system mail: the published theme, or the default. */
export async function publishedTheme(context: NameContext, environment: Environment): Promise<ThemeValue> {
  const row = await findTheme(context.db, environment.id);
  return row?.published
    ? presentTheme(row.published, row.version, row.publishedAt)
    : defaultTheme(context, environment);
}
