import type { Environment } from '#core/kernel/caller/caller.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idList } from '#core/runtime/database/literal.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { crashPoint } from '#core/runtime/fault.js';
import { lockLeases } from '#core/runtime/work/queue.js';
import { countStatements } from '../broadcast-counts.js';
import type { BroadcastFields } from '../broadcast-tables.js';
import { eventRows } from '../broadcasts/event-rows.js';
import { idPrefix } from '../broadcasts/ids.js';
import type { DeliveryReport, RecipientReport } from '../driver.js';
import { recipientStatements } from '../finalize.js';
import { renderedAssignments } from '../rendered.js';
import { countMoves } from '../stats/count.js';
import type { JournalTable } from '../journal-columns.js';
import type { MessageFields, RecipientRow } from '../tables.js';
import type { Chunk } from './check.js';
import type { BulkDriver } from './driver.js';

/** A message of a chunk that the server has accepted in its first attempt. */
export interface Accepted<B, M> {
  readonly broadcast: B;
  readonly environment: Environment;
  /** With the fields that rendering has set. */
  readonly message: M;
  readonly recipient: RecipientRow;
  readonly answer: RecipientReport;
  readonly durationMs: number;
}

/** Whether a report says that the only recipient was accepted, and nothing else must be recorded. */
export const acceptedAnswer = <M>({ recipients }: DeliveryReport<M>): RecipientReport | undefined => {
  const [only, ...others] = recipients;
  return others.length === 0 && only?.outcome === 'sent' ? only : undefined;
};

/**
 * Records accepted messages of one chunk, in one transaction.
 * @param seqs the rows of the journal that it makes obsolete
 * @returns false if the lease was lost
 */
export async function recordAccepted<B extends BroadcastFields, M extends MessageFields, C>(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  bulk: BulkDriver<B, M, C>,
  { claim, madeAt }: Chunk,
  all: readonly Accepted<B, M>[],
  seqs: readonly number[],
): Promise<boolean> {
  const [first] = all;
  if (!first) return true;
  const { kind, delivery, chunks, journal, sentEvent, sentData } = bulk;
  const { tables } = delivery;
  const { broadcast, environment } = first;
  const isRecorded = await transaction(`Delivery of ${kind.name}`, async (context) => {
    const { db, clock } = context;
    const at = clock.now();
    const leases = await lockLeases(db, chunks, [claim], { isShared: true });
    if (!leases.has(claim)) return false;
    context.actIn(environment, broadcast.activityId);
    const messages = all.map(({ message }) => message);
    const ids = idList(messages.map(({ id }) => id));
    const assignments = renderedAssignments(tables, delivery.renderedFields ?? [], messages);
    const rendered = assignments === '' ? '' : `, ${assignments}`;
    const made = kind.messageOf(broadcast, madeAt);
    await db.defer(
      joined([
        tables.attempts.insertRows(
          all.map(({ message, answer, durationMs }) => ({
            messageId: message.id,
            attempt: 1,
            at,
            status: 'sent',
            code: answer.code,
            response: answer.response.slice(0, 500),
            durationMs: Math.round(durationMs),
          })),
        ),
        ...recipientStatements(
          tables,
          all.map(({ recipient, answer: { code, response, providerId = null } }) => ({
            ...recipient,
            status: 'sent',
            ...{ code, response, providerId, endedAt: at },
          })),
        ),
        {
          sql: `UPDATE ${tables.messages.tableName} FORCE INDEX (PRIMARY) SET status = 'sent', sent_at = ?, ended_at = ? ? WHERE id IN (?)`,
          parameters: [at, at, { toSqlString: () => rendered }, ids],
        },
        ...countMoves(tables.stats, [{ message: made, from: 'queued', to: 'sent', count: all.length }]),
        ...countStatements(kind.tables, [{ broadcastId: broadcast.id, status: 'sent', count: all.length }], at),
      ]),
    );
    const handledBy = await kind.audience(context).noteSent(environment.id, kind.name, at, {
      sql: `SELECT m.contact_id FROM ${tables.messages.tableName} m FORCE INDEX (PRIMARY) WHERE m.id IN (?)`,
      parameters: [ids],
    });
    await delivery.afterEnd?.(context, [{ message: first.message, recipients: [], environment }]);
    await context.emitSelected(sentEvent, {
      rows: eventRows(
        { eventData: sentData, eventFields: kind.eventFields },
        { ...made, status: 'sent', sentAt: at, endedAt: at },
        idPrefix(),
        {
          sql: `FROM ${tables.messages.tableName} m FORCE INDEX (PRIMARY) WHERE m.id IN (?)`,
          parameters: [ids],
          ordinal: 'ROW_NUMBER() OVER (ORDER BY m.id)',
        },
      ),
      environment,
      lane: 'transactional',
      handledBy,
      activityId: broadcast.activityId,
    });
    if (seqs.length > 0) await db.defer(removeJournal(journal, claim.id, seqs));
    crashPoint(`${kind.name}.outcomes.written`);
    return true;
  });
  crashPoint(`${kind.name}.outcomes.committed`);
  return isRecorded;
}

/** Deletes rows of a chunk's journal. */
export const removeJournal = (
  { tableName }: Pick<JournalTable, 'tableName'>,
  chunkId: string,
  seqs: readonly number[],
): Statement => ({
  sql: `DELETE FROM ${tableName} WHERE work_id = ? AND seq IN (?)`,
  parameters: [idBytes(chunkId), [...seqs]],
});
