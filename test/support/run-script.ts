import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { compiledProgram } from './compiled.js';

/**
 * Runs a program of scripts/ as an operator does, until it ends.
 * @param source for example `scripts/bootstrap.ts`
 * @param settings SVC_* variables
 */
export async function runScript(
  source: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [compiledProgram(source), ...words], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, printed: out + problems };
}
