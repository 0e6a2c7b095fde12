import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import { waitingOf } from '#core/messaging/waiting.js';
import { canWait, waitsOf } from '../quiet-hours/waits.js';
import type { MessageRow } from '../tables/message.js';
import { smsDriver } from './driver.js';
import { presentMessage } from './present.js';
import type { SmsMessage } from './resources.js';

/**
 * Messages of one environment as they are now: what each is waiting for and, if that is the end of quiet hours, until
 * when.
 */
export async function showMessages(
  { db, use, clock }: Pick<Context, 'db' | 'use' | 'clock'>,
  { closedAt }: Environment,
  rows: readonly MessageRow[],
): Promise<ValueOf<typeof SmsMessage>[]> {
  const waiting = await waitingOf(db, smsDriver, rows, closedAt !== null);
  const shown = rows.map((row) => ({ row, message: presentMessage(row, waiting.get(row.id)) }));
  const queued = shown.flatMap(({ row, message }) => (message.status === 'queued' && canWait(row) ? [row] : []));
  if (queued.length === 0) return shown.map(({ message }) => message);
  // By the current settings and zones, as is decided when the message is due.
  const quietUntil = await waitsOf({ db, use }, queued, clock.now());
  return shown.map(({ row, message }) => ({
    ...message,
    sendAfter: quietUntil.get(row.id)?.toISOString() ?? message.sendAfter,
  }));
}
