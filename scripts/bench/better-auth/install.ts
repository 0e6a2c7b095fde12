import { execFile } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { program } from './program.js';

const run = promisify(execFile);

/** For the driver and the hash, the versions that svc uses (package.json). */
const packages = { 'better-auth': '1.6.34', mysql2: '3.24.5', '@node-rs/argon2': '2.2.1' };

/**
 * Installs better-auth once, into a folder of the system's temporary folder, and keeps it for the next run.
 * @returns the path of a program that serves it, see program.ts
 */
export async function installBetterAuth(say: (line: string) => unknown): Promise<string> {
  const folder = join(tmpdir(), `svc-bench-better-auth-${packages['better-auth']}`);
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'server.mjs');
  await writeFile(path, program);
  const installed = await access(join(folder, 'node_modules', 'better-auth', 'package.json')).then(
    () => true,
    () => false,
  );
  if (!installed) {
    say(`installing better-auth into ${folder}`);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
  }
  return path;
}
