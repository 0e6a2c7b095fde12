import { describeReferences } from '#core/messaging/references.js';
import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { findNumbersFrom } from '../messages/sending-state.js';
import type { NumberRow } from '../tables/number.js';

/** What prevents a number from being given back, as refusals name it; null if nothing does. */
export interface NumberUsers {
  readonly users: string | null;
  readonly nextStep: string;
}

/**
 * Finds out who uses a number: the settings, open broadcasts, and texts that wait to be sent from it. Call this with
 * the environment locked, so that neither its numbers nor its settings change.
 */
export async function usersOf(
  context: Pick<Context, 'db' | 'deployment'>,
  row: NumberRow,
  defaultNumberId: string | null,
): Promise<NumberUsers> {
  const { id, number, environmentId } = row;
  if (defaultNumberId === id)
    return {
      users: 'the settings as the default number',
      nextStep:
        'Set another number, or null, as defaultNumberId with sms.settings.set, then call sms.number.release again.',
    };
  const broadcasts = await broadcastsWithoutOther(context, row);
  if (broadcasts > 0)
    return {
      users: `${describeReferences([{ type: 'open broadcast', count: broadcasts }])}, and the environment has no other number to send from`,
      nextStep:
        'Assign another number with sms.number.assign and set it as defaultNumberId with sms.settings.set, or cancel the open broadcasts with sms.broadcast.cancel (sms.broadcast.list lists them). Then call sms.number.release again.',
    };
  const key = [idBytes(environmentId), Buffer.from(number)];
  const [queued] = await context.db.rows(
    `SELECT id FROM sms_message WHERE environment_id = ? AND status = 'queued' AND from_number = ? LIMIT 1`,
    key,
  );
  return queued
    ? {
        users: 'messages that are waiting to be sent from it',
        nextStep: 'Wait until they are sent, or cancel them with sms.message.cancel; sms.message.list lists them.',
      }
    : { users: null, nextStep: '' };
}

/**
 * How many scheduled, running and held broadcasts would be left without a number. Texts of broadcasts are sent from the
 * environment's default number, else from the deployment's; if there is neither, any remaining number can be made the
 * default.
 */
async function broadcastsWithoutOther(
  context: Pick<Context, 'db' | 'deployment'>,
  { id, environmentId }: NumberRow,
): Promise<number> {
  const { db } = context;
  const environment = idBytes(environmentId);
  const [from, [other], [open]] = await Promise.all([
    findNumbersFrom(context, [environmentId]),
    db.rows("SELECT id FROM sms_number WHERE environment_id = ? AND status = 'assigned' AND id <> ? LIMIT 1", [
      environment,
      idBytes(id),
    ]),
    db.rows<{ open: number }>(
      "SELECT COUNT(*) AS open FROM sms_broadcast WHERE environment_id = ? AND status IN ('scheduled', 'sending', 'held')",
      [environment],
    ),
  ]);
  return from.has(environmentId) || other ? 0 : (open?.open ?? 0);
}
