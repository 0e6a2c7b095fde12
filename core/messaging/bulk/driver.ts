import type { EventName } from '#core/kernel/event.js';
import type { QueueRef } from '#core/runtime/work/queue.js';
import type { BroadcastFields } from '../broadcast-tables.js';
import type { BroadcastDriver } from '../broadcasts/driver.js';
import type { DeliveryDriver } from '../driver.js';
import type { JournalTable } from '../journal-columns.js';
import type { MessageFields } from '../tables.js';

/*
 * The delivery of broadcasts by chunks (chunks.ts). What nearly every message of a broadcast needs, its first attempt
 * to one recipient who may get it and a server that accepts it, is done with statements for many:
 *
 *   1. claim    a chunk, one row for up to 500 messages                                    queue.ts
 *   2. check    the next of its messages: one round trip for a hundred                     check.ts
 *   3. render   them, with the contacts as they are                                        DeliveryDriver.loadContents
 *   4. submit   each over a send slot, checked again if its check is older than 100 ms     send.ts
 *   5. store    the answers to those that were accepted, with one row for about fifty      journal.ts
 *   6. record   them, with one transaction for hundreds                                    record.ts
 *   7. leave    all others get a row of the delivery queue, which explains, retries or fails them; then the chunk ends
 *                                                                                          leave.ts
 *
 * The promises are those of driver.ts and broadcasts/driver.ts. After a crash, the lease of the chunk expires. A worker
 * records what was stored, and continues with the messages that are still queued: at most those that were being
 * submitted or stored are sent again, as many as with a queue row each (send-slots.ts).
 */

/** How a channel delivers its broadcasts by chunks. */
export interface BulkDriver<B extends BroadcastFields, M extends MessageFields, C> {
  readonly kind: BroadcastDriver<B, M>;
  readonly delivery: DeliveryDriver<M, C>;
  readonly chunks: QueueRef;
  /** See journal.ts. */
  readonly journal: JournalTable;
  /** The event of a message that was accepted, and its `data`. */
  readonly sentEvent: EventName;
  sentData(message: M): unknown;
  /** The fields of a message that its recipient's address decides. */
  addressed(address: string): Partial<M>;
}
