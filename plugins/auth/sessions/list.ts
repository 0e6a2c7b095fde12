import { pageAlong, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { sessions, type SessionRow } from '../tables/session.js';

export interface SessionsOfUser extends PageRequest {
  environmentId: string;
  userId: string;
  /** Only sessions that are live at this time; null for all. */
  liveAt: Date | null;
}

/** One page of a user's sessions, newest first. */
export async function sessionsOf(
  db: ReadSession,
  { environmentId, userId, liveAt, before, limit }: SessionsOfUser,
): Promise<{ rows: SessionRow[]; next: string | null }> {
  const conditions = ['user_id = ?', 'environment_id = ?', ...(liveAt ? ['ended_at IS NULL', 'expires_at > ?'] : [])];
  const values = [idBytes(userId), idBytes(environmentId), ...(liveAt ? [liveAt] : [])];
  const range = { from: 'auth_session FORCE INDEX (user)', where: 'user_id = ?', parameters: [idBytes(userId)] };
  return pageAlong(db, range, { before, limit }, async (bounds, count) => {
    const found = await db.rows<object>(
      `SELECT ${sessions.columnList()} FROM auth_session FORCE INDEX (user)
       WHERE ${conditions.join(' AND ')}${bounds.sql} ORDER BY id DESC LIMIT ?`,
      [...values, ...bounds.parameters, count],
    );
    return found.map((row) => sessions.decode(row));
  });
}
