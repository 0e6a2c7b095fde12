import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compiledProgram } from '#test/support/compiled.js';
import { eventually } from '#test/support/eventually.js';
import { onVitess } from '#test/support/vitess.js';

/** svc in a separate process, started like `npm start`. */
export interface NodeProcess {
  readonly address: string;
  readonly pid: number;
  /** The processes that it runs, if SVC_PROCESSES is more than 1. */
  children(): Promise<number[]>;
  /** The exit code or signal; undefined while it runs. */
  ending(): string | undefined;
  /** Waits until a crash point has killed it. @throws Error if it ended otherwise */
  diedAtPoint(withinMs?: number): Promise<void>;
  /** Kills it with SIGKILL and waits for its end. */
  kill(): Promise<void>;
  /** Sends SIGTERM and does not wait. */
  terminate(): void;
  /** Stops it with SIGTERM. @returns the exit code, 0 for a graceful stop */
  stop(): Promise<string>;
  /** The last lines it printed. */
  printed(): string;
}

/** The flags of `npm start` in package.json. */
const memoryFlags = ['--max-semi-space-size=8', '--heap-growing-percent=40'];
const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const startWithinMs = onVitess ? 300_000 : 60_000;
const living = new Set<() => void>();
// A failing test must not leave servers behind.
process.on('exit', () => living.forEach((kill) => kill()));

/** This process's environment without SVC_ variables: only the test decides the node's settings. */
const neutral = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')));

/**
 * Begins to start a node. Its address is empty until it has printed it.
 * @param settings SVC_* variables
 * @param sources a folder with other sources than this repository's, which are compiled while they are loaded
 */
export function beginNode(settings: Readonly<Record<string, string>>, sources?: string): NodeProcess {
  const fromSources = ['--conditions=svc-source', '--import', 'tsx', 'scripts/start.ts'];
  const flags = sources === undefined ? [...memoryFlags, compiledProgram('scripts/start.ts')] : fromSources;
  const child = spawn(process.execPath, flags, {
    cwd: sources ?? root,
    env: { ...neutral(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  const forceEnd = (): void => void child.kill('SIGKILL');
  living.add(forceEnd);
  const facts: { ending?: string; address?: string | undefined } = {};
  const lines: string[] = [];
  const printed = (): string => lines.slice(-30).join('\n');
  child.once('exit', (code, signal) => {
    living.delete(forceEnd);
    facts.ending = signal ?? String(code);
  });
  createInterface(child.stderr).on('line', (line) => void lines.push(line));
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    facts.address ??= /^\s*address\s+(http:\/\/\S+)/.exec(line)?.[1];
  });
  const ended = (what: string, withinMs: number): Promise<void> =>
    eventually(() => facts.ending !== undefined, what, withinMs);

  return {
    get address() {
      return facts.address ?? '';
    },
    pid,
    async children() {
      const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,comm=']);
      const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/));
      return lines.flatMap(([of, parent, name]) => (Number(parent) === pid && name !== 'ps' ? [Number(of)] : []));
    },
    printed,
    ending: () => facts.ending,
    async diedAtPoint(withinMs = 30_000) {
      await ended('the crash point to be reached', withinMs).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${printed()}`);
      });
      if (facts.ending !== 'SIGKILL') throw new Error(`The node ended by ${facts.ending ?? ''}:\n${printed()}`);
    },
    async kill() {
      forceEnd();
      await ended('the end of a killed node', startWithinMs);
    },
    terminate: () => void child.kill('SIGTERM'),
    async stop() {
      child.kill('SIGTERM');
      await ended('the end of a stopped node', startWithinMs);
      return facts.ending ?? '';
    },
  };
}

/**
 * Starts a node and waits until it is ready.
 * @param settings and `sources` see beginNode
 * @param withinMs how long it may take
 * @throws Error with what it printed, if it ends before it is ready, or is not ready in time
 */
export async function startNode(
  settings: Readonly<Record<string, string>>,
  sources?: string,
  withinMs = startWithinMs,
): Promise<NodeProcess> {
  const node = beginNode(settings, sources);
  await eventually(() => node.address !== '' || node.ending() !== undefined, 'a started node', withinMs).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}\n${node.printed()}`);
    },
  );
  // Waiting work may reach the crash point before the node prints its address.
  const diedEarly = node.ending() === 'SIGKILL' && settings['SVC_FAULT'] !== undefined;
  if (node.address === '' && !diedEarly)
    throw new Error(`The node did not start (${node.ending() ?? ''}):\n${node.printed()}`);
  const ready = (): Promise<boolean> =>
    fetch(`${node.address}/readyz`).then(
      ({ status }) => status === 200,
      () => node.ending() !== undefined,
    );
  await eventually(ready, 'a ready node', withinMs);
  return node;
}
