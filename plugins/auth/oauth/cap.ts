import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';

/** The largest number of configured providers in an environment. */
export const maxApps = 50;
/** The same, including removed ones: their names are kept for the users who linked them. */
export const maxAppNames = 10 * maxApps;

/**
 * Call this with the environment locked.
 * @param isNew no provider of this name was ever configured
 * @throws limit_reached if no more providers can be configured
 */
export async function requireRoomForApp(
  db: Session,
  environmentId: string,
  isNew: boolean,
  fail: ErrorMakers<'limit_reached', SvcError>,
): Promise<void> {
  const [row] = await db.rows<{ configured: number; known: number }>(
    'SELECT COUNT(IF(removed_at IS NULL, 1, NULL)) AS configured, COUNT(*) AS known FROM auth_oauth_app WHERE environment_id = ?',
    [idBytes(environmentId)],
  );
  const { configured = 0, known = 0 } = row ?? {};
  if (configured >= maxApps)
    throw fail.limit_reached({
      limit: maxApps,
      things: 'providers in this environment',
      nextStep: 'Remove one that is no longer used with auth.oauth.app.remove (auth.oauth.app.list lists them).',
    });
  if (isNew && known >= maxAppNames)
    throw fail.limit_reached({
      limit: maxAppNames,
      things: 'provider names in this environment, including removed ones',
      nextStep: 'Configure the provider under a name that has been used before.',
    });
}
