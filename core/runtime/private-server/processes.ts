import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** A process and its command line, with arguments separated by blanks. */
interface ListedProcess {
  pid: number;
  command: string;
}

/** The result of `read`; undefined if it throws, because the machine has no such file or the process has just ended. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const ps = (...args: string[]): string =>
  attempt(() => execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) ?? '';

/** The fields of /proc/<pid>/stat after the command name, which may contain blanks and brackets. */
function statOf(pid: number): string[] | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** All processes that this user can see. */
function list(): ListedProcess[] {
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

/** Whether the process is running. A zombie is not. */
export function isAlive(pid: number): boolean {
  const exists = attempt(() => process.kill(pid, 0));
  return exists === true && statOf(pid)?.[0] !== 'Z';
}

/**
 * When a process started, in a unit that depends on the machine. Together with the pid it identifies a process; a pid
 * by itself is soon reused (in a container the next start often gets the same one).
 */
export function startTimeOf(pid: number): string {
  const ticks = statOf(pid)?.[19];
  return ticks ?? ps('-o', 'lstart=', '-p', String(pid)).trim();
}

/**
 * The database server that runs on a data folder.
 * @returns its pid, TCP port and socket; undefined if there is none
 */
export function findServer(dataFolder: string): { pid: number; port: number; socket: string } | undefined {
  const found = list().find(
    ({ pid, command }) =>
      /^\S*(mariadbd|mysqld)\s/.test(command) && command.includes(` --datadir=${dataFolder} `) && isAlive(pid),
  );
  if (!found) return undefined;
  const flag = (name: string): string => new RegExp(` --${name}=(.*?) (?=--|$)`).exec(found.command)?.[1] ?? '';
  return { pid: found.pid, port: Number(flag('port')), socket: flag('socket') };
}
