import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { countBounces } from '#core/messaging/broadcasts/bounces.js';
import { groupBy } from '#core/messaging/group-by.js';
import { rowsOf, suppressedOf } from '#core/messaging/load.js';
import { countMoves } from '#core/messaging/stats/count.js';
import type { RecipientRow } from '#core/messaging/tables.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { suppressions } from '#plugins/audience/ports.js';
import { noteBounces } from './held-broadcasts.js';
import { aboutPerson } from '#core/messaging/driver.js';
import { presentMessage } from '../messages/present.js';
import { broadcastTables } from '../tables/broadcast.js';
import { messages, type MessageRow } from '../tables/message.js';
import { recipients } from '../tables/recipient.js';
import { reports, type ReportRow, type Report } from '../tables/report.js';
import { statTables } from '../tables/stat.js';
import { detailLine, type OwnedReport, type ReportOutcome } from './report.js';
import { isAboutSender } from './classify.js';
import { countSoftBounce, type SoftBounceLimit } from './soft-bounces.js';

type RecordContext = Context<'email.bounced' | 'email.broadcast.paused'>;

/** A message whose row is locked, with everything that is known about its recipients. */
interface LockedMessage {
  message: MessageRow;
  readonly environment: Environment;
  recipients: readonly RecipientRow[];
  reports: readonly ReportRow[];
}

/**
 * Records reports about recipients: the report, the status of recipient and message, counts, suppressions and events. A
 * repeated report changes nothing, and the order of reports does not matter. If a bounce was soft first and hard later,
 * the later one counts.
 * @returns the outcome of each report, in their order
 */
export async function recordReports(context: RecordContext, owned: readonly OwnedReport[]): Promise<ReportOutcome[]> {
  const locked = await lockMessages(context, owned);
  const outcomes = new Map<OwnedReport, ReportOutcome>();
  for (const group of groupBy(owned, ({ messageId }) => messageId)) {
    const state = locked.get(group[0]?.messageId ?? '');
    for (const each of group) outcomes.set(each, state ? await recordReport(context, state, each) : 'ignored');
  }
  return owned.map((each) => outcomes.get(each) ?? 'ignored');
}

/** Locks the messages before it reads the rest, so that the data it reads stays valid until COMMIT. */
async function lockMessages({ db }: RecordContext, owned: readonly OwnedReport[]): Promise<Map<string, LockedMessage>> {
  const ids = [...new Set(owned.map(({ messageId }) => messageId))].map(idBytes);
  if (ids.length === 0) return new Map();
  const rows = await db.rows<object>(
    `SELECT ${messages.columnList()} FROM email_message WHERE id IN (?) ORDER BY id FOR UPDATE`,
    [ids],
  );
  const [recipientRows, reportRows] = await db.batch(
    `SELECT ${recipients.columnList()} FROM email_recipient WHERE message_id IN (?) ORDER BY message_id, position;
     SELECT ${reports.columnList()} FROM email_report WHERE message_id IN (?)`,
    [ids, ids],
  );
  const people = rowsOf(recipientRows).map(recipients.decode);
  const known = rowsOf(reportRows).map(reports.decode);
  const environments = new Map<string, Environment | null>();
  const found = new Map<string, LockedMessage>();
  for (const message of rows.map(messages.decode)) {
    const { id, environmentId } = message;
    if (!environments.has(environmentId)) environments.set(environmentId, await findEnvironment(db, environmentId));
    const environment = environments.get(environmentId);
    if (!environment) continue;
    const own = <R extends { messageId: string }>(all: readonly R[]): R[] => all.filter((row) => row.messageId === id);
    found.set(id, { message, environment, recipients: own(people), reports: own(known) });
  }
  return found;
}

async function recordReport(
  context: RecordContext,
  state: LockedMessage,
  { messageId, position, report }: OwnedReport,
): Promise<ReportOutcome> {
  const { environment } = state;
  const recipient = state.recipients.find((each) => each.position === position);
  // Without an address, the person was erased.
  if (!recipient || recipient.address === '') return 'ignored';
  if (recipient.status === 'queued') return 'early';
  if (recipient.status !== 'sent' && recipient.status !== 'bounced') return 'ignored';
  const { type } = report;
  const isThis = (row: ReportRow): boolean => row.position === position && row.type === type;
  const known = state.reports.find(isThis);
  if (known && (known.kind !== 'soft' || report.kind !== 'hard')) return 'repeated';

  const { row, limit } = await reportRow(context, state, recipient, report);
  state.reports = [...state.reports.filter((each) => !isThis(each)), row];
  const bounced = type === 'bounced' && recipient.status === 'sent';
  if (bounced)
    state.recipients = state.recipients.map((each) => (each === recipient ? { ...each, status: 'bounced' } : each));
  const message = await storeChanges(context, state, [
    reports.upsertRows([row], ['kind', 'code', 'detail', 'at']),
    ...(bounced ? [recipients.updateRow({ messageId, position }, { status: 'bounced' })] : []),
  ]);
  if (type === 'bounced') {
    const data = {
      message: presentMessage(message, suppressedOf(state.recipients)),
      recipient: recipient.address,
    };
    const { activityId } = message;
    context.emit('email.bounced', { subjectId: messageId, data, activityId, ...aboutPerson(message) }, environment);
  }
  await suppress(context, environment, recipient.address, row, limit);
  return 'recorded';
}

async function reportRow(
  context: RecordContext,
  { message }: LockedMessage,
  { messageId, position, addressKey, endedAt }: RecipientRow,
  { type, kind, code, detail, at }: Report,
): Promise<{ row: ReportRow; limit: SoftBounceLimit | null }> {
  const now = context.clock.now();
  // Providers' clocks differ from ours, and some count in seconds: a report cannot be older than its message.
  const sentAt = endedAt ?? message.createdAt;
  const time = new Date(Math.max(sentAt.getTime(), Math.min(at.getTime(), now.getTime())));
  // What is said about the sender says nothing about the address, however often.
  const isCounted = kind === 'soft' && !isAboutSender(code, detail);
  const limit = isCounted ? await countSoftBounce(context, message.environmentId, addressKey, time) : null;
  const row: ReportRow = {
    messageId,
    position,
    type,
    kind: limit === null ? kind : 'hard',
    code: code?.slice(0, 20) ?? null,
    detail: detailLine(detail),
    at: time,
  };
  return { row, limit };
}

/** Writes the changes of a report to the message. @returns the message as it is now */
async function storeChanges(
  context: RecordContext,
  state: LockedMessage,
  statements: readonly Statement[],
): Promise<MessageRow> {
  const { db } = context;
  const { message, environment } = state;
  const { broadcastId } = message;
  const summary = summarize(message, state.recipients, state.reports);
  const moved = summary.status !== message.status;
  await db.defer(
    joined([
      ...statements,
      messages.updateRow({ id: message.id }, summary),
      ...(moved ? countMoves(statTables, [{ message, from: message.status, to: summary.status }]) : []),
      ...(moved && broadcastId !== null ? [countBounces(broadcastTables, broadcastId, 'returned')] : []),
    ]),
  );
  if (moved && broadcastId !== null) await noteBounces(context, new Map([[broadcastId, environment]]));
  state.message = { ...message, ...summary };
  return state.message;
}

/**
 * Suppresses an address that does not work, or whose owner complained.
 * @param limit the number of soft bounces that it has reached
 */
async function suppress(
  { use }: RecordContext,
  environment: Environment,
  address: string,
  { type, kind, code, detail }: ReportRow,
  limit: SoftBounceLimit | null,
): Promise<void> {
  const add = (reason: 'bounce' | 'complaint', note: string): Promise<void> =>
    use(suppressions).add(environment, { channel: 'email', address, reason, note: note.slice(0, 500) });
  const said = code === null || detail.includes(code) ? detail : `${code} ${detail}`;
  if (type === 'complained') await add('complaint', said);
  if (type === 'bounced' && kind === 'hard')
    await add('bounce', limit === null ? said : `${limit}, the last one: ${said}`);
}

type Summary = Pick<MessageRow, 'status' | 'deliveredAt' | 'bouncedAt' | 'bounceKind' | 'bounceCode' | 'bounceDetail'>;

const byTime = (a: ReportRow, b: ReportRow): number => a.at.getTime() - b.at.getTime() || a.position - b.position;

/**
 * Summarises the reports about a message's recipients. The result depends only on the reports, not on their order of
 * arrival.
 *
 * - `status`: a message that was sent is `bounced` once it has bounced for all recipients that it was sent to.
 * - `bounce` and `bouncedAt`: the first bounce of any recipient.
 * - `deliveredAt`: when the last recipient's delivery was reported, once it was reported for all recipients whose
 *   mail has not bounced.
 */
function summarize(
  message: Pick<MessageRow, 'status'>,
  recipients: readonly Pick<RecipientRow, 'position' | 'status'>[],
  reports: readonly ReportRow[],
): Summary {
  const [bounce] = reports.filter(({ type }) => type === 'bounced').sort(byTime);
  const delivered = reports.filter(({ type }) => type === 'delivered').sort(byTime);
  const open = recipients.filter(({ status }) => status === 'sent' || status === 'queued');
  const allDelivered = open.every(({ position }) => delivered.some((each) => each.position === position));
  return {
    status: message.status === 'sent' && bounce && open.length === 0 ? 'bounced' : message.status,
    deliveredAt: (allDelivered && delivered.at(-1)?.at) || null,
    bouncedAt: bounce?.at ?? null,
    bounceKind: bounce?.kind ?? null,
    bounceCode: bounce?.code ?? null,
    bounceDetail: bounce?.detail ?? null,
  };
}
