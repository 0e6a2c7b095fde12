import type { Clock } from '../clock.js';
import type { Database } from '../database/session.js';
import type { Log } from '../log.js';
import type { WorkQueue } from './queue.js';

/** The parts of a queue's worker. */
export interface WorkerOptions {
  queue: WorkQueue;
  database: Database;
  clock: Clock;
  log: Log;
}
