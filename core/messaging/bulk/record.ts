import type { Environment } from '#core/kernel/caller/caller.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { createBatcher } from '#core/runtime/database/batcher.js';
import { idList } from '#core/runtime/database/literal.js';
import { retryWhileUnreachable } from '#core/runtime/database/server/retry-while-unreachable.js';
import { joined } from '#core/runtime/database/statement.js';
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

/**
 * A transaction takes about 2 ms however few messages it records, so it waits a moment for more: 50 ms, or until
 * half of those are waiting that may be unrecorded (send-slots.ts), so that the others can leave meanwhile.
 */
const [maxItems, enough, gatherMs] = [200, 48, 50];

/** Whether a report says that the only recipient was accepted, and nothing else must be recorded. */
export const acceptedAnswer = <M>({ recipients }: DeliveryReport<M>): RecipientReport | undefined => {
  const [only, ...others] = recipients;
  return others.length === 0 && only?.outcome === 'sent' ? only : undefined;
};

/** Records accepted messages of one chunk. Resolves once they are committed: false if the lease was lost. */
export type RecordAccepted<B, M> = (accepted: Accepted<B, M>) => Promise<boolean>;

export function chunkRecorder<B extends BroadcastFields, M extends MessageFields, C>(
  services: Pick<WorkerServices, 'transaction'>,
  bulk: BulkDriver<B, M, C>,
  chunk: Chunk,
): RecordAccepted<B, M> {
  return createBatcher(
    (all: readonly Accepted<B, M>[]) => retryWhileUnreachable(() => recordAccepted(services, bulk, chunk, all)),
    { maxItems, enough, gatherMs, splitOnError: true },
  );
}

async function recordAccepted<B extends BroadcastFields, M extends MessageFields, C>(
  { transaction }: Pick<WorkerServices, 'transaction'>,
  bulk: BulkDriver<B, M, C>,
  { claim, madeAt }: Chunk,
  all: readonly Accepted<B, M>[],
): Promise<boolean[]> {
  const [first] = all;
  if (!first) return [];
  const { kind, delivery, chunks, sentEvent, sentData } = bulk;
  const { tables } = delivery;
  const { broadcast, environment } = first;
  const isRecorded = await transaction(`Delivery of ${kind.name}`, async (context) => {
    const { db, clock } = context;
    const at = clock.now();
    const leases = await lockLeases(db, chunks, [claim]);
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
    crashPoint(`${kind.name}.outcomes.written`);
    return true;
  });
  crashPoint(`${kind.name}.outcomes.committed`);
  return all.map(() => isRecorded);
}
