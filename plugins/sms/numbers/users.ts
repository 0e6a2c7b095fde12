import { describeUsages } from '#core/kernel/usage.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { NumberRow } from '../tables/number.js';

/** What keeps a number from being given back, as refusals name it; null where nothing does. */
export interface NumberUsers {
  readonly users: string | null;
  readonly nextStep: string;
}

/** Who uses a number: the settings, open broadcasts, and texts that wait to leave from it. */
export async function usersOf(
  db: Session,
  { id, number, environmentId }: NumberRow,
  defaultNumberId: string | null,
): Promise<NumberUsers> {
  if (defaultNumberId === id)
    return {
      users: 'the settings as the default number',
      nextStep:
        'Set another number, or null, as defaultNumberId with sms.settings.set, then call sms.number.release again.',
    };
  const key = [idBytes(environmentId), Buffer.from(number)];
  const usages = await db.rows<{ type: string; count: number }>(
    `SELECT CONVERT(in_use_by_type USING utf8mb4) AS type, COUNT(*) AS count FROM sms_usage
     WHERE environment_id = ? AND kind = 'number' AND target = ? GROUP BY in_use_by_type ORDER BY in_use_by_type`,
    key,
  );
  if (usages.length > 0)
    return {
      users: describeUsages(usages.map(({ type, count }) => ({ type, count }))),
      nextStep: 'Cancel what uses it with sms.broadcast.cancel, then call sms.number.release again.',
    };
  const [queued] = await db.rows(
    `SELECT id FROM sms_message WHERE environment_id = ? AND status = 'queued' AND from_number = ? LIMIT 1`,
    key,
  );
  return queued
    ? {
        users: 'texts that wait to be sent from it',
        nextStep: 'Wait until they are sent, or cancel them with sms.message.cancel; sms.message.list shows them.',
      }
    : { users: null, nextStep: '' };
}
