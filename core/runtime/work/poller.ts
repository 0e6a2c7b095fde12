import type { Clock } from '../clock.js';
import type { Database, SqlValue } from '../database/session.js';
import type { Log } from '../log.js';
import { startLoop } from './loop.js';

/** Something to look for in the database, together with everything else that the process looks for. */
export interface PollSource {
  /** What follows `SELECT …`: FROM and WHERE that yield a row when there is something to do, cheaply when there is not. */
  readonly from: string;
  /** The values of its placeholders. */
  readonly parameters?: (now: Date) => readonly SqlValue[];
  /** Called when there was a row. */
  readonly found: () => void;
}

export interface PollerOptions {
  database: Database;
  clock: Clock;
  log: Log;
  sources: readonly PollSource[];
  /** How soon work that another process committed, or that has become due, is seen. */
  pollMs?: number;
}

/**
 * The one poll of a process: a single statement asks for every queue whether it has something to do, so an idle process makes four
 * round trips a second however many queues there are. Work committed in this process does not wait for it: that wakes its queue.
 */
export function startPoller({ database, clock, log, sources, pollMs = 250 }: PollerOptions): { stop(): Promise<void> } {
  const sql = sources.map(({ from }, index) => `(SELECT ${index} AS source ${from} LIMIT 1)`).join(' UNION ALL ');
  const look = async (): Promise<boolean> => {
    const now = clock.now();
    const rows = await database.rows<{ source: number }>(
      sql,
      sources.flatMap(({ parameters }) => parameters?.(now) ?? []),
    );
    for (const { source } of rows) sources[source]?.found();
    return rows.length > 0;
  };
  return startLoop({ name: 'svc.poll', log, pollMs, look: sources.length === 0 ? async () => false : look });
}
