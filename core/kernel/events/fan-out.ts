import type { Clock } from '#core/runtime/clock.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { Session } from '#core/runtime/database/session.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idText } from '#core/runtime/id.js';
import type { Log } from '#core/runtime/log.js';
import { startLoop } from '#core/runtime/work/loop.js';
import type { Worker } from '#core/runtime/work/worker.js';
import { eventQueue } from './outbox.js';

/** A committed event on its way to whoever wants it. */
export interface FannedEvent {
  id: string;
  environmentId: string;
  type: string;
}

export interface FanOutContext {
  db: Session;
  clock: Clock;
  /** Wakes a work queue once the transaction has committed. */
  wake: (queue: string) => void;
}

/** Takes committed events in, batch by batch, inside the transaction that marks them as fanned out: each event exactly once. */
export type EventConsumer = (events: readonly FannedEvent[], context: FanOutContext) => Promise<void>;

export interface FanOutOptions {
  database: ConnectedDatabase;
  consumers: readonly EventConsumer[];
  clock: Clock;
  log: Log;
  wake: (queue: string) => void;
}

const batch = 500;

/**
 * Hands committed events to their consumers. Events are found by their own mark, never by a remembered last id: ids do not commit
 * in order. Within a batch they come in the order of their ids.
 */
export function startFanOut({ database, consumers, clock, log, wake }: FanOutOptions): Worker {
  const once = async (): Promise<number> => {
    const woken = new Set<string>();
    const count = await database.transaction(async (db) => {
      woken.clear();
      const rows = await db.rows<{ id: Buffer; environment_id: Buffer; type: Buffer }>(
        'SELECT id, environment_id, type FROM svc_event FORCE INDEX (fan_out) WHERE pending = 1 ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED',
        [batch],
      );
      if (rows.length === 0) return 0;
      const events = rows.map((row) => ({
        id: idText(row.id),
        environmentId: idText(row.environment_id),
        type: row.type.toString(),
      }));
      for (const consume of consumers) await consume(events, { db, clock, wake: (queue) => woken.add(queue) });
      await db.defer('UPDATE svc_event SET pending = NULL WHERE id IN (?)', [rows.map((row) => row.id)]);
      crashPoint('fanout.commit.before');
      return rows.length;
    });
    if (count > 0) crashPoint('fanout.commit.after');
    woken.forEach(wake);
    return count;
  };
  const look = async (): Promise<boolean> => {
    let found = 0;
    for (let count = await once(); count > 0; count = await once()) found += count;
    return found > 0;
  };
  const loop = startLoop({ name: eventQueue, log, pollMs: 250, look, isBusy: () => false });
  return { queue: eventQueue, ...loop };
}
