import type { FullContext } from '#core/kernel/context.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { countMoves } from '#core/messaging/stats/count.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { smsChannel } from '../messages/channel.js';
import { messages, type MessageRow } from '../tables/message.js';
import { recipients } from '../tables/recipient.js';
import type { ReportRow } from '../tables/report.js';
import { statTables } from '../tables/stat.js';

/**
 * What a report changes in a text that was handed over; the caller has locked its row.
 *
 * - delivered: the text has `deliveredAt`, and stays `sent`.
 * - failed: a text that is `sent` becomes `failed`, with the carrier's code and words and its event, once. One that was delivered stays
 *   so. Of a text that was handed over twice, only what was recorded counts: the other one may still arrive.
 */
export async function applyReport(context: FullContext, message: MessageRow, report: ReportRow): Promise<void> {
  if (message.status !== 'sent' || message.deliveredAt !== null) return;
  const { db } = context;
  if (report.status === 'delivered') {
    const deliveredAt = message.sentAt && message.sentAt > report.at ? message.sentAt : report.at;
    await db.update(messages, { id: message.id }, { deliveredAt });
    return;
  }
  const recipient = await db.findOne(recipients, { messageId: message.id, position: 0 });
  if (recipient?.providerId !== report.providerId) return;
  const environment = await findEnvironment(db, message.environmentId);
  if (!environment) return;
  const changes = { status: 'failed', errorCode: report.code, errorDetail: report.detail } as const;
  const failed = { ...message, ...changes };
  const { sql, parameters } = joined([
    messages.updateRow({ id: message.id }, changes),
    recipients.updateRow({ messageId: message.id, position: 0 }, { status: 'failed' }),
    ...countMoves(statTables, [{ message, from: 'sent', to: 'failed' }]),
    ...(message.broadcastId === null
      ? []
      : [
          {
            sql: 'UPDATE sms_broadcast_count SET sent = sent - 1, failed = failed + 1 WHERE broadcast_id = ?',
            parameters: [idBytes(message.broadcastId)],
          },
        ]),
  ]);
  await db.run(sql, parameters);
  smsChannel.emit(context, { message: failed, suppressed: [], environment }, message.activityId);
}
