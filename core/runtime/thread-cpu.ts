import { readFileSync, readlinkSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/*
 * The CPU time of one thread. A limit in wall-clock time would refuse a customer's request because other customers keep
 * the machine busy. Node 20 has no call for another thread's CPU time, so it is read from procfs (proc(5)).
 */

/**
 * The first message of a thread: it has loaded. `threadId` is the system's number of the thread, where procfs has it.
 */
export interface ThreadReady {
  readonly threadId: number | null;
}

/** Called in a thread when it is ready for requests. */
export function announceReady(): void {
  const ready: ThreadReady = { threadId: ownThreadId() };
  parentPort?.postMessage(ready);
}

/** `/proc/thread-self` is a link to `<process>/task/<thread>` for the thread that reads it. */
function ownThreadId(): number | null {
  try {
    const link = readlinkSync('/proc/thread-self');
    return Number(link.slice(link.lastIndexOf('/') + 1)) || null;
  } catch {
    return null;
  }
}

/** Milliseconds in a clock tick: USER_HZ is 100 on every architecture that Node runs on. */
const tickMs = 10;

/**
 * Milliseconds of CPU time that a thread of this process has used since it started; null if the system does not say.
 */
export function cpuMsOf(threadId: number | null): number | null {
  if (threadId === null) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, 'utf8');
    // The name in field 2 may have spaces and brackets. Fields 14 and 15 are the ticks in user and kernel mode.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * tickMs : null;
  } catch {
    return null;
  }
}
