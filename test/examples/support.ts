import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { eventually } from '#test/support/eventually.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const living = new Set<ChildProcess>();
process.on('exit', () => living.forEach((child) => child.kill('SIGKILL')));

/** A program of examples/ in a process of its own. */
export interface RunningExample {
  /** Everything printed so far, standard output and error together. */
  printed(): string;
  /** Waits until it has printed this. */
  waitFor(text: string): Promise<void>;
  /** Waits for its end. @returns its exit code */
  ended(): Promise<number | null>;
  stop(): Promise<void>;
}

/**
 * Starts an example as its README says, from the sources instead of a build.
 * @param words the program's file under examples/, and its arguments
 * @param environment variables beside PATH
 */
export function startExample(words: readonly string[], environment: Readonly<Record<string, string>>): RunningExample {
  const [file = '', ...rest] = words;
  const path = `examples/${file}`;
  const command = file.endsWith('.sh')
    ? { program: 'sh', before: [] }
    : { program: process.execPath, before: ['--conditions=svc-source', '--import', 'tsx'] };
  const child = spawn(command.program, [...command.before, path, ...rest], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  living.add(child);
  let text = '';
  const gather = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout.on('data', gather);
  child.stderr.on('data', gather);
  const end = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      living.delete(child);
      resolve(code);
    });
  });
  return {
    printed: () => text,
    waitFor: (wanted) => eventually(() => text.includes(wanted), `${path} to print “${wanted}”`),
    ended: () => end,
    async stop() {
      child.kill('SIGTERM');
      await end;
    },
  };
}
