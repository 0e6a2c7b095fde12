import type { Environment } from '#core/kernel/caller/caller.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { loadSettings } from '../settings/load.js';

/**
 * Makes a number the environment's default if it has none and this is its first. Call this with the environment locked.
 * @returns the default number's id as it is now
 */
export async function makeDefault(
  db: Session,
  { id: environmentId }: Pick<Environment, 'id'>,
  numberId: string,
  at: Date,
): Promise<string | null> {
  const { defaultNumberId } = await loadSettings(db, environmentId);
  if (defaultNumberId !== null) return defaultNumberId;
  const [others] = await db.rows<{ found: number }>(
    `SELECT COUNT(*) AS found FROM sms_number WHERE environment_id = ? AND status = 'assigned' AND id <> ?`,
    [idBytes(environmentId), idBytes(numberId)],
  );
  if ((others?.found ?? 0) > 0) return null;
  await db.run(
    `INSERT INTO sms_settings (environment_id, changed, updated_at) VALUES (?, JSON_OBJECT('defaultNumberId', ?), ?)
     ON DUPLICATE KEY UPDATE changed = JSON_SET(changed, '$.defaultNumberId', ?), updated_at = VALUES(updated_at)`,
    [idBytes(environmentId), numberId, at, numberId],
  );
  return numberId;
}

/** The id of the number that an environment has had the longest; null if it has none. */
export async function firstNumber(db: Session, environmentId: string): Promise<string | null> {
  const [first] = await db.rows<{ id: Buffer }>(
    `SELECT id FROM sms_number WHERE environment_id = ? AND status = 'assigned' ORDER BY assigned_at, id LIMIT 1`,
    [idBytes(environmentId)],
  );
  return first ? idText(first.id) : null;
}
