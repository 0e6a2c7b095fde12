import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { countMoves } from '#core/messaging/stats/count.js';
import type { RecipientRow } from '#core/messaging/tables.js';
import { groupByValues } from '#core/messaging/group-by.js';
import type { Session } from '#core/runtime/database/session.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { suppressions } from '#plugins/audience/ports.js';
import { smsDriver } from '../messages/driver.js';
import { isOptOut } from '../providers/opt-out.js';
import { messages, type MessageRow } from '../tables/message.js';
import { recipients } from '../tables/recipient.js';
import type { ReportRow } from '../tables/report.js';
import { statTables } from '../tables/stat.js';

/**
 * Locks the messages that reports are about, in the order of their ids.
 * @returns by message id; deleted messages are absent
 */
export async function lockMessages(
  db: Session,
  about: readonly Pick<ReportRow, 'messageId'>[],
): Promise<Map<string, MessageRow>> {
  const ids = [...new Set(about.map(({ messageId }) => messageId))].sort().map(idBytes);
  const rows = await db.rows<object>(
    `SELECT ${messages.columnList()} FROM sms_message FORCE INDEX (PRIMARY) WHERE id IN (?) ORDER BY id FOR UPDATE`,
    [ids],
  );
  return new Map(rows.map(messages.decode).map((message) => [message.id, message]));
}

/**
 * What reports change in texts that were submitted, one report after the other.
 *
 * - delivered: the text gets `deliveredAt`, and stays `sent`.
 * - failed: a text that is `sent` becomes `failed`, with the carrier's code and words and its event, once. A text that
 *   was delivered stays delivered. If a text was submitted twice, only the recorded delivery attempt counts: the other
 *   one may still arrive.
 *
 * @param locked the messages by id, whose rows the caller has locked
 */
export async function applyReports(
  context: FullContext,
  locked: ReadonlyMap<string, MessageRow>,
  arrived: readonly ReportRow[],
): Promise<void> {
  const { db } = context;
  const delivered = new Map<string, Date>();
  const failed = new Set<string>();
  for (const report of arrived) {
    const message = locked.get(report.messageId);
    if (message?.status !== 'sent' || message.deliveredAt !== null) continue;
    if (delivered.has(message.id) || failed.has(message.id)) continue;
    if (report.status === 'delivered') delivered.set(message.id, report.at);
    if (report.status !== 'failed') continue;
    const recipient = await db.findOne(recipients, { messageId: message.id, position: 0 });
    if (recipient?.providerId !== report.providerId) continue;
    failed.add(message.id);
    await recordUndelivered(context, message, recipient, report);
  }
  for (const { values, items } of groupByValues([...delivered], ([, at]) => [at, at]))
    await db.defer({
      sql: 'UPDATE sms_message SET delivered_at = GREATEST(IFNULL(sent_at, ?), ?) WHERE id IN (?)',
      parameters: [...values, items.map(([id]) => idBytes(id))],
    });
}

/**
 * Suppresses a number for which the carrier has an opt-out.
 * @param refusal the provider's code and words for a text that failed
 */
export async function suppressOptedOut(
  { use }: Pick<FullContext, 'use'>,
  environment: Environment,
  address: string,
  refusal: Pick<ReportRow, 'code' | 'detail'>,
): Promise<void> {
  if (!isOptOut(refusal.code, refusal.detail)) return;
  const note = 'The carrier has recorded an opt-out for this number.';
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
  await db.run(
    joined([
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
    ]),
  );
  const failed = { ...message, ...changes };
  smsDriver.emit(
    context,
    { message: failed, outcome: 'failed', suppressed: [], failed: [], environment },
    message.activityId,
  );
  if (address !== '') await suppressOptedOut(context, environment, address, { code, detail });
}
