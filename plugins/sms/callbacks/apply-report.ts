import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { countMoves } from '#core/messaging/stats/count.js';
import type { RecipientRow } from '#core/messaging/tables.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { suppressions } from '#plugins/audience/ports.js';
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
  if (recipient?.providerId === report.providerId) await recordUndelivered(context, message, recipient, report);
}

/** Codes of providers for a recipient who told the carrier STOP, which svc did not see: Twilio's and Telnyx's. */
const optOutCodes = new Set(['21610', '40300']);

/** Suppresses a number that the carrier keeps an opt-out of. @param code the provider's, of a text that failed */
export async function suppressOptedOut(
  { use }: Pick<FullContext, 'use'>,
  environment: Environment,
  address: string,
  code: string | null,
): Promise<void> {
  if (code === null || !optOutCodes.has(code)) return;
  const note = 'The carrier has an opt-out of this number.';
  await use(suppressions).add(environment, { channel: 'sms', address, reason: 'stop', note });
}

/** Moves a text from `sent` to `failed`: status, counts, event. The caller has locked its row. */
async function recordUndelivered(
  context: FullContext,
  message: MessageRow,
  { address }: Pick<RecipientRow, 'address'>,
  { code, detail }: Pick<ReportRow, 'code' | 'detail'>,
): Promise<void> {
  const { db } = context;
  const environment = await findEnvironment(db, message.environmentId);
  if (!environment) return;
  const changes = { status: 'failed', errorCode: code, errorDetail: detail } as const;
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
  const failed = { ...message, ...changes };
  smsChannel.emit(context, { message: failed, suppressed: [], environment }, message.activityId);
  if (address !== '') await suppressOptedOut(context, environment, address, code);
}
