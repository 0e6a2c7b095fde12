import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';

/** An app that may act for a user: it has a grant of one of the user's live sessions. */
export interface UserApp {
  appId: string;
  /** When the user first signed in to it in one of these sessions. */
  since: Date;
}

/** The apps that may act for a user, the latest first. An environment has at most 50. */
export async function userApps(db: ReadSession, userId: string, now: Date): Promise<UserApp[]> {
  const rows = await db.rows<{ app_id: Buffer; since: Date }>(
    `SELECT r.app_id, MIN(r.created_at) AS since
     FROM auth_openid_record r JOIN auth_session s ON s.id = r.session_id
     LEFT JOIN auth_openid_app a ON a.environment_id = r.environment_id AND a.app_id = r.app_id
     WHERE r.user_id = ? AND r.app_id IS NOT NULL AND (r.app_uid IS NULL OR r.app_uid = a.id) AND r.expires_at > ? AND s.ended_at IS NULL AND s.expires_at > ?
     GROUP BY r.app_id ORDER BY since DESC LIMIT 50`,
    [idBytes(userId), now, now],
  );
  return rows.map(({ app_id: appId, since }) => ({ appId: appId.toString(), since }));
}

/**
 * Ends what apps hold for a user, in all sessions: every code and token belongs to a grant. The sessions continue, so
 * an app gets new tokens when the user signs in to it again.
 * @param appId only of this app
 * @returns the number of sessions in which an app had something
 */
export async function endUserApps(db: Session, userId: string, appId?: string): Promise<number> {
  const { affectedRows } = await db.run({
    sql: `DELETE FROM auth_openid_record WHERE user_id = ? AND ${appId === undefined ? 'app_id IS NOT NULL' : 'app_id = ?'}`,
    parameters: [idBytes(userId), ...(appId === undefined ? [] : [Buffer.from(appId)])],
  });
  return affectedRows;
}
