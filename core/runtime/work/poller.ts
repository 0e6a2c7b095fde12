import type { Clock } from '../clock.js';
import type { Database, SqlValue } from '../database/session.js';
import type { Log } from '../log.js';
import { startLoop } from './loop.js';

/** One condition that the process's shared poll checks in the database. */
export interface PollSource {
  /** The FROM and WHERE clauses. They yield a row when there is something to do, and must be cheap when there is not. */
  readonly from: string;
  /** The values of its placeholders. */
  readonly parameters?: (now: Date) => readonly SqlValue[];
  /** Called when the query yields a row. */
  readonly found: () => void;
}

export interface PollerOptions {
  database: Database;
  clock: Clock;
  log: Log;
  sources: readonly PollSource[];
  /** The poll interval in milliseconds: the longest delay until work of another process, or work that became due, is found. */
  pollMs?: number;
}

/**
 * Starts the process's shared poll. A single statement checks every queue for due work, so an idle process makes four round trips a
 * second however many queues there are. Work that this process commits does not wait for the poll: the commit wakes its queue.
 */
export function startPoller({ database, clock, log, sources, pollMs = 250 }: PollerOptions): { stop(): Promise<void> } {
  const sql = sources.map(({ from }, index) => `(SELECT ${index} AS source ${from} LIMIT 1)`).join(' UNION ALL ');
  const poll = async (): Promise<boolean> => {
    const now = clock.now();
    const rows = await database.rows<{ source: number }>(
      sql,
      sources.flatMap(({ parameters }) => parameters?.(now) ?? []),
    );
    for (const { source } of rows) sources[source]?.found();
    return rows.length > 0;
  };
  return startLoop({ name: 'svc.poll', log, pollMs, poll: sources.length === 0 ? async () => false : poll });
}
