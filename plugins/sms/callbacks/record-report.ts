import type { FullContext } from '#core/kernel/context.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { StatusReport } from '../providers/provider.js';
import { messages, type MessageRow } from '../tables/message.js';
import { reports, type ReportRow } from '../tables/report.js';
import { applyReport } from './apply-report.js';

/**
 * Records a report and what it changes. Reports that come again change nothing, and their order does not matter. One that comes before the
 * hand-over was recorded is kept, and counts once it is (`applyEarlyReports`).
 */
export async function recordReport(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  report: StatusReport,
): Promise<void> {
  const { status } = report;
  // That the provider took a text is known from its answer.
  if (status === 'sent') return;
  await transaction('Text reports', async (context) => {
    const { db, clock } = context;
    const message = await lockMessage(db, report);
    if (!message) return;
    const row: ReportRow = {
      messageId: message.id,
      providerId: report.providerId.slice(0, 255),
      status,
      code: report.code?.slice(0, 40) ?? null,
      detail: report.detail?.slice(0, 500) ?? null,
      at: clock.now(),
    };
    const { sql, parameters } = reports.insertRows([row]);
    const { affectedRows } = await db.run(sql.replace(/^INSERT/, 'INSERT IGNORE'), parameters);
    if (affectedRows > 0) await applyReport(context, message, row);
  });
}

/** The message that a report is about, locked: by svc's own id, which the provider repeats, or by the provider's. */
async function lockMessage(
  db: Session,
  { messageId, providerId }: Pick<StatusReport, 'messageId' | 'providerId'>,
): Promise<MessageRow | null> {
  const id = messageId ?? (await findByProviderId(db, providerId));
  if (id === null) return null;
  const [found] = await db.rows<object>(`SELECT ${messages.columnList()} FROM sms_message WHERE id = ? FOR UPDATE`, [
    idBytes(id),
  ]);
  return found ? messages.decode(found) : null;
}

async function findByProviderId(db: Session, providerId: string): Promise<string | null> {
  const [found] = await db.rows<{ message_id: Buffer }>(
    'SELECT message_id FROM sms_recipient WHERE provider_id = ? LIMIT 1',
    [Buffer.from(providerId)],
  );
  return found ? idText(found.message_id) : null;
}

/** Applies the reports that came before the hand-over of some texts was recorded, in the transaction that records it. */
export async function applyEarlyReports(context: FullContext, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  const { db } = context;
  const ids = messageIds.map(idBytes);
  const early = await db.rows<object>(
    `SELECT ${reports.columnList()} FROM sms_report WHERE message_id IN (?) ORDER BY message_id, status`,
    [ids],
  );
  for (const row of early.map(reports.decode)) {
    const message = await lockMessage(db, row);
    if (message) await applyReport(context, message, row);
  }
}
