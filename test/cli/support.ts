import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compiledProgram } from '#test/support/compiled.js';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** SVC_API_KEY. */
  key?: string;
  /** XDG_CONFIG_HOME; a folder that does not exist where nothing is said. */
  config?: string;
  stdin?: string;
  env?: Record<string, string>;
}

/** How to start `svc`, in an environment where nothing of this machine's is set. */
export const svcCommand = (
  words: readonly string[],
  { key, config, env }: RunOptions = {},
): { program: string; args: string[]; env: Record<string, string> } => ({
  program: process.execPath,
  args: [compiledProgram('scripts/svc.ts'), ...words],
  env: {
    PATH: process.env['PATH'] ?? '',
    XDG_CONFIG_HOME: config ?? join(tmpdir(), 'svc-no-such-config'),
    ...(key === undefined ? {} : { SVC_API_KEY: key }),
    ...env,
  },
});

/** Starts `svc` in a folder that holds nothing of its own. */
export function startSvc(words: readonly string[], options: RunOptions = {}): ChildProcessWithoutNullStreams {
  const { program, args, env } = svcCommand(words, options);
  return spawn(program, args, { cwd: tmpdir(), env });
}

/** Runs `svc` to its end. */
export async function runSvc(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = startSvc(words, options);
  child.stdin.end(options.stdin ?? '');
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** A running `svc listen` with what it printed so far; `stop` interrupts it and returns its exit code. */
export function listening(
  words: readonly string[],
  address: string,
  key: string,
): { seen: { stdout: string; stderr: string }; stop: () => Promise<number | null> } {
  const child = startSvc(['listen', ...words, '--base-url', address], { key });
  const seen = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (seen.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (seen.stderr += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    seen,
    async stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** A folder for the profiles of one test file. Call it inside `describe`. */
export function useConfigFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What `--json` printed. */
export function printed(stdout: string): Record<string, unknown> {
  const found: unknown = JSON.parse(stdout);
  if (!isRecord(found)) throw new Error(`That is not a JSON object: ${stdout}`);
  return found;
}

/** The result inside it. */
export function resultOf(stdout: string): Record<string, unknown> {
  const { result } = printed(stdout);
  if (!isRecord(result)) throw new Error(`There is no result in ${stdout}`);
  return result;
}
