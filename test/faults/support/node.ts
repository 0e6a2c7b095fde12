import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from '#test/support/eventually.js';

/** A svc in a process of its own, started as `npm start` starts it, from the sources. */
export interface NodeProcess {
  readonly address: string;
  /** How it ended; undefined while it lives. */
  ending(): string | undefined;
  /** Waits until a crash point has killed it, and sees that it was that. */
  diedAtPoint(withinMs?: number): Promise<void>;
  /** kill -9, and the end of the process. */
  kill(): Promise<void>;
  /** SIGTERM; the exit code of an orderly end is 0. */
  stop(): Promise<string>;
  /** What it printed last. */
  printed(): string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const startWithinMs = 60_000;
const living = new Set<() => void>();
// A test that fails half-way must not leave servers behind.
process.on('exit', () => living.forEach((kill) => kill()));

/** This process's variables without svc's own: what the node reads is what the test says. */
const neutral = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')));

/**
 * Starts a node and waits until it is ready.
 * @param settings SVC_* variables
 * @param folder of the sources; this repository's, where nothing is said
 * @throws Error with what it printed, when it ends before
 */
export async function startNode(settings: Readonly<Record<string, string>>, folder = root): Promise<NodeProcess> {
  const flags = ['--conditions=svc-source', '--import', 'tsx', 'scripts/start.ts'];
  const child = spawn(process.execPath, flags, {
    cwd: folder,
    env: { ...neutral(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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

  await eventually(() => facts.address !== undefined || facts.ending !== undefined, 'a started node', startWithinMs);
  const { address } = facts;
  if (address === undefined) throw new Error(`The node did not start (${facts.ending ?? ''}):\n${printed()}`);
  const ready = (): Promise<boolean> =>
    fetch(`${address}/readyz`).then(
      ({ status }) => status === 200,
      () => facts.ending !== undefined,
    );
  await eventually(ready, 'a ready node', startWithinMs);

  return {
    address,
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
    async stop() {
      child.kill('SIGTERM');
      await ended('the end of a stopped node', startWithinMs);
      return facts.ending ?? '';
    },
  };
}
