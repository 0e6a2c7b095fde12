import { orIgnore } from '#core/runtime/database/statement.js';
import type { FullContext } from '#core/kernel/context.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { createBatcher, type Batcher } from '#core/runtime/database/batcher.js';
import type { StatusReport } from '../providers/provider.js';
import { messages } from '../tables/message.js';
import { reports, type ReportRow } from '../tables/report.js';
import { applyReports, lockMessages } from './apply-report.js';

type Recording = Pick<WorkerServices, 'database' | 'transaction' | 'clock'>;

/** Reports that arrive within this time share a transaction. No carrier waits for its answer. */
const gatherMs = 5;
const maxItems = 200;

const recorders = new WeakMap<object, Batcher<StatusReport, true>>();

/**
 * Records a report and the changes that follow from it; resolves once they are committed. Repeated reports change
 * nothing, and the order of reports does not matter. A report that arrives before the attempt was recorded is kept, and
 * is applied after that (`applyEarlyReports`).
 */
export async function recordReport(services: Recording, report: StatusReport): Promise<void> {
  const known = recorders.get(services.database);
  const record =
    known ?? createBatcher((batch) => recordReports(services, batch), { maxItems, gatherMs, splitOnError: true });
  if (!known) recorders.set(services.database, record);
  await record(report);
}

/** @returns one `true` per report */
async function recordReports(services: Recording, batch: readonly StatusReport[]): Promise<true[]> {
  const rows = await withoutKnown(services, await toRows(services, batch));
  if (rows.length > 0)
    await services.transaction('Text reports', async (context) => {
      const found = await lockMessages(context.db, rows);
      const ofMessages = rows.filter(({ messageId }) => found.has(messageId));
      if (ofMessages.length === 0) return;
      await insertNew(context, ofMessages);
      await applyReports(context, found, ofMessages);
    });
  return batch.map(() => true);
}

/**
 * Reports as rows. A report belongs to the message whose id the provider repeats, else to the message that has the
 * provider's id.
 */
async function toRows(
  { database, clock }: Pick<Recording, 'database' | 'clock'>,
  batch: readonly StatusReport[],
): Promise<ReportRow[]> {
  const unnamed = batch.flatMap(({ messageId, providerId }) => (messageId === null ? [Buffer.from(providerId)] : []));
  const found =
    unnamed.length === 0
      ? []
      : await database.rows<{ message_id: Buffer; provider_id: Buffer }>(
          'SELECT message_id, provider_id FROM sms_recipient WHERE provider_id IN (?)',
          [unnamed],
        );
  const byProviderId = new Map(found.map((row) => [row.provider_id.toString(), idText(row.message_id)]));
  const at = clock.now();
  return batch.flatMap(({ messageId: named, providerId, status, code, detail }) => {
    const messageId = named ?? byProviderId.get(providerId);
    if (messageId === undefined) return [];
    return [
      {
        ...{ messageId, providerId: providerId.slice(0, 255), status, at },
        ...{ code: code?.slice(0, 40) ?? null, detail: detail?.slice(0, 500) ?? null },
      },
    ];
  });
}

/**
 * Leaves out what is known without a report: the provider's answer already states that it took a text. A report of this
 * is news only if the delivery attempt of the text is not recorded: the answer may be lost (../delivery/resubmit.ts).
 */
async function withoutKnown(
  { database }: Pick<Recording, 'database'>,
  rows: readonly ReportRow[],
): Promise<ReportRow[]> {
  const ids = rows.flatMap(({ status, messageId }) => (status === 'sent' ? [idBytes(messageId)] : []));
  if (ids.length === 0) return [...rows];
  const queued = await database.rows<{ id: Buffer }>(
    `SELECT id FROM ${messages.tableName} WHERE id IN (?) AND status = 'queued'`,
    [ids],
  );
  const unrecorded = new Set(queued.map(({ id }) => idText(id)));
  return rows.filter(({ status, messageId }) => status !== 'sent' || unrecorded.has(messageId));
}

async function insertNew({ db }: Pick<FullContext, 'db'>, rows: readonly ReportRow[]): Promise<void> {
  await db.defer(orIgnore(reports.insertRows(rows)));
}

/**
 * Applies the reports that arrived before the attempts of some texts were recorded, in the transaction that records it.
 */
export async function applyEarlyReports(context: FullContext, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  const found = await context.db.rows<object>(
    `SELECT ${reports.columnList()} FROM sms_report WHERE message_id IN (?) ORDER BY message_id, status`,
    [messageIds.map(idBytes)],
  );
  if (found.length === 0) return;
  const early = found.map(reports.decode);
  await applyReports(context, await lockMessages(context.db, early), early);
}
