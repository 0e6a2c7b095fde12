import type { Clock } from '../clock.js';
import type { DatabaseTime } from '../database-clock.js';
import type { Database } from '../database/session.js';
import type { SqlValue } from '../database/statement.js';
import type { Log } from '../log.js';
import { startLoop } from './loop.js';

/** One condition that the process's shared poll checks in the database. */
export interface PollSource {
  /** The FROM and WHERE clauses. They yield a row if there is work, and must be cheap if there is none. */
  readonly from: string;
  /** The values of its placeholders. */
  readonly parameters?: (now: Date) => readonly SqlValue[];
  /** Called when the query yields a row. */
  readonly found: () => void;
}

interface PollerOptions {
  database: Database;
  clock: Clock;
  log: Log;
  sources: readonly PollSource[];
  /** Called with the database's time, which every poll reads. */
  observe?: (time: DatabaseTime) => void;
  /**
   * The poll interval in milliseconds: the longest delay until work of another process, or work that became due, is
   * found.
   */
  pollMs?: number;
}

/**
 * Starts the process's shared poll. A single statement reads the database's time and checks every queue for due work,
 * so an idle process makes four round trips a second, no matter how many queues there are. Work that this process
 * commits does not wait for the poll: the commit wakes its queue.
 */
export function startPoller({ database, clock, log, sources, observe, pollMs = 250 }: PollerOptions): {
  stop(): Promise<void>;
} {
  const sql = [
    'SELECT -1 AS source, NOW(3) AS server_time',
    ...sources.map(({ from }, index) => `(SELECT ${index}, NULL ${from} LIMIT 1)`),
  ].join(' UNION ALL ');
  const poll = async (): Promise<boolean> => {
    const now = clock.now();
    const askedAt = performance.now();
    const rows = await database.rows<{ source: number; server_time: Date | null }>(
      sql,
      sources.flatMap(({ parameters }) => parameters?.(now) ?? []),
    );
    const answeredAt = performance.now();
    for (const row of rows)
      if (row.server_time) observe?.({ now: row.server_time, askedAt, answeredAt });
      else sources[row.source]?.found();
    return rows.length > 1;
  };
  return startLoop({ name: 'svc.poll', log, pollMs, poll });
}
