import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** A process and its whole command line, its arguments parted by blanks. */
interface Listed {
  pid: number;
  command: string;
}

/** What `read` gives, or undefined where the machine has no such thing or the process just ended. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const ps = (...args: string[]): string =>
  attempt(() => execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) ?? '';

/** The fields of /proc/<pid>/stat after the command name, which may itself hold blanks and brackets. */
function statOf(pid: number): string[] | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Every process that this user may see. */
function list(): Listed[] {
  const pids = attempt(() => readdirSync('/proc'))?.filter((name) => /^\d+$/.test(name)) ?? [];
  if (pids.length > 0) {
    return pids.map((name) => {
      const command = attempt(() => readFileSync(`/proc/${name}/cmdline`, 'utf8')) ?? '';
      return { pid: Number(name), command: command.replaceAll('\0', ' ') };
    });
  }
  return ps('-axww', '-o', 'pid=,command=')
    .split('\n')
    .flatMap((line) => {
      const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
      return pid !== undefined && command !== undefined ? [{ pid: Number(pid), command: `${command} ` }] : [];
    });
}

/** Whether the process lives. One that ended and was never collected by its parent does not. */
export function isAlive(pid: number): boolean {
  const answers = attempt(() => process.kill(pid, 0));
  return answers === true && statOf(pid)?.[0] !== 'Z';
}

/**
 * When a process began, in whatever unit the machine has: with the pid it names one process for good, where a pid
 * alone is soon given to another (in a container the next start often gets the same one).
 */
export function startOf(pid: number): string {
  const ticks = statOf(pid)?.[19];
  return ticks ?? ps('-o', 'lstart=', '-p', String(pid)).trim();
}

/**
 * The database server that runs on a data folder.
 * @returns its pid and the TCP port it was given, or undefined when there is none
 */
export function findServer(dataFolder: string): { pid: number; port: number } | undefined {
  const found = list().find(
    ({ pid, command }) =>
      /^\S*(mariadbd|mysqld)\s/.test(command) && command.includes(` --datadir=${dataFolder} `) && isAlive(pid),
  );
  return found && { pid: found.pid, port: Number(/ --port=(\d+) /.exec(found.command)?.[1] ?? 0) };
}
