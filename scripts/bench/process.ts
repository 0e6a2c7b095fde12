import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Pool, RowDataPacket } from 'mysql2/promise';

const run = promisify(execFile);

/** The resident memory of a process. */
export async function residentMiB(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.trim()) / 1024;
}

/** Linux counts CPU time in hundredths of a second (proc(5): USER_HZ). */
const tickMs = 10;

/**
 * CPU time that a process has used so far; undefined without /proc. On a busy machine, it varies less than elapsed
 * time.
 */
export async function cpuMs(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field, the program's name, may contain spaces; utime and stime are the 14th and 15th.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/**
 * CPU time that the main thread of a process has used so far, in milliseconds; undefined without /proc. While a call
 * waits, this is how long the event loop computed for it and for others, however busy the machine is.
 */
export function loopCpuMs(pid: number): number | undefined {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1_000_000;
  } catch {
    return undefined;
  }
}

/** The process of the database server if it runs on this machine; otherwise 0. */
export async function databasePid(database: Pool): Promise<number> {
  const [[row]] = await database.query<(RowDataPacket & { file: string })[]>('SELECT @@pid_file AS file');
  return Number(await readFile(row?.file ?? '', 'utf8').catch(() => '0'));
}
