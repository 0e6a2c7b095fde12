import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A measured server, in its own process: client and server must not share an event loop. */
export interface Child {
  readonly pid: number;
  /** http://host:port, as the program printed it. */
  readonly address: string;
  /** Time from spawning it until it listened. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

export interface ChildOptions {
  /** Path of the built JavaScript. */
  program: string;
  environment: Readonly<Record<string, string>>;
  /** Command-line flags of Node. */
  flags?: readonly string[];
}

const said = /^\s*address\s+(https?:\/\/\S+)/;
const patienceMs = 60_000;

/** This process's environment variables without those of svc, which would change what is measured. */
const neutral = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_')));

/**
 * Starts a program and waits until it prints `address <url>`.
 * @throws with its output if it ends before that
 */
export async function startChild({ program, environment, flags = [] }: ChildOptions): Promise<Child> {
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, program], {
    env: { ...neutral(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines: string[] = [];
  const keep = (line: string): void => {
    lines.push(line);
    if (lines.length > 40) lines.shift();
  };
  createInterface(child.stderr).on('line', keep);
  const address = await new Promise<string>((resolve, reject) => {
    const fail = (): void => reject(new Error(`${program} did not start:\n${lines.join('\n')}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail();
    }, patienceMs);
    createInterface(child.stdout).on('line', (line) => {
      keep(line);
      const found = said.exec(line)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    child.once('error', reject);
    void ended.then(fail);
  });
  return {
    pid: child.pid ?? 0,
    address,
    readyMs: performance.now() - began,
    async stop() {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), 30_000);
      await ended;
      clearTimeout(force);
    },
  };
}
