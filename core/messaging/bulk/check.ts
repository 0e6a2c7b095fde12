import type { Environment } from '#core/kernel/caller/caller.js';
import { environmentColumns, environmentFrom } from '#core/kernel/environment/environment.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { validClaims, type Claim } from '#core/runtime/work/queue.js';
import type { BroadcastFields } from '../broadcast-tables.js';
import { inChunk } from '../chunks.js';
import { heldSince, type ClosureColumns } from '../delivery/recheck.js';
import type { MessageFields } from '../tables.js';
import type { BulkDriver } from './driver.js';

/** A chunk that this process has leased. */
export interface Chunk {
  readonly claim: Claim;
  readonly broadcastId: string;
  readonly environmentId: string;
  readonly topic: string;
  readonly lastId: string;
  /** When its messages were made. */
  readonly madeAt: Date;
}

/** A message of a chunk that waits. */
export interface Waiting {
  readonly id: string;
  readonly contactId: string | null;
  readonly address: string;
  /** Whether the recipient may get it now. */
  readonly isAllowed: boolean;
}

/** What a check has found. */
export type CheckedChunk<B> =
  /** The lease is lost, or the broadcast no longer exists. */
  | { readonly kind: 'lost' }
  /** The broadcast is held or cancelled, or the account is closed. */
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'open';
      readonly environment: Environment;
      readonly broadcast: B;
      /** In the order of their ids. */
      readonly messages: readonly Waiting[];
      /** When the check began, by performance.now(). */
      readonly at: number;
    };

/**
 * Reads the next messages of a chunk, and whether they may be sent now: the lease, the account and the broadcast, and
 * for each recipient the rule that `recipientsIn` makes messages by. One round trip, without a transaction.
 * @param range ids above `after`, up to and including `upTo`; at most `count` messages
 */
export async function checkChunk<B extends BroadcastFields, M extends MessageFields, C>(
  { read }: Pick<WorkerServices, 'read'>,
  { kind, chunks }: BulkDriver<B, M, C>,
  chunk: Chunk,
  range: { readonly after: string; readonly upTo: string; readonly count: number },
): Promise<CheckedChunk<B>> {
  const { driver, tables } = kind;
  const { claim, broadcastId, environmentId, topic } = chunk;
  return read(`Delivery of ${kind.name}`, async (context) => {
    const at = performance.now();
    const allowed = kind
      .audience(context)
      .mayGet(environmentId, { channel: kind.name, topic }, { contactId: 'm.contact_id', addressKey: 'r.address_key' });
    const [leases, [environmentRow], [broadcastRow], rows] = await Promise.all([
      context.db.rows<{ id: Buffer; lease_token: Buffer | null }>(
        `SELECT id, lease_token FROM ${chunks.table} WHERE id = ?`,
        [idBytes(claim.id)],
      ),
      context.db.rows<ClosureColumns>(
        `SELECT ${environmentColumns}, e.last_closed_at, e.reopened_at FROM svc_environment e WHERE e.id = ?`,
        [idBytes(environmentId)],
      ),
      context.db.rows<object>(
        `SELECT ${tables.broadcasts.columnList()} FROM ${tables.broadcasts.tableName} WHERE id = ?`,
        [idBytes(broadcastId)],
      ),
      context.db.rows<{ id: Buffer; contact_id: Buffer | null; address: string; allowed: number }>(
        `SELECT m.id, m.contact_id, r.address, (${allowed.sql}) AS allowed
         FROM ${driver.tables.messages.tableName} m FORCE INDEX (PRIMARY)
         JOIN ${driver.tables.recipients.tableName} r ON r.message_id = m.id AND r.position = 0
         WHERE m.id > ? AND ${inChunk(driver)} ORDER BY m.id LIMIT ?`,
        [...allowed.parameters, ...[range.after, claim.id, range.upTo, broadcastId].map(idBytes), range.count],
      ),
    ]);
    if (!environmentRow || !broadcastRow || !validClaims([claim], leases).has(claim)) return { kind: 'lost' };
    const environment = environmentFrom(environmentRow);
    const broadcast = tables.broadcasts.decode(broadcastRow);
    const isSending = broadcast.status === 'sending' || broadcast.status === 'sent';
    if (!isSending || environment.closedAt !== null || heldSince(broadcast.releasedAt, environmentRow.last_closed_at))
      return { kind: 'stopped' };
    const messages = rows.map((row) => ({
      id: idText(row.id),
      contactId: row.contact_id && idText(row.contact_id),
      address: row.address,
      isAllowed: row.allowed === 1,
    }));
    return { kind: 'open', environment, broadcast, messages, at };
  });
}
