import type { Clock } from '../clock.js';
import type { Database } from '../database/session.js';
import type { Log } from '../log.js';
import type { WorkQueue } from './queue.js';

/** What the worker of a queue is made of. */
export interface WorkerOptions {
  queue: WorkQueue;
  database: Database;
  clock: Clock;
  log: Log;
}
