import { spawn } from 'node:child_process';
import { connectionOf } from '../connection.js';
import type { OwnOptions } from '../options.js';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Prints the reference page's address, and opens it where somebody looks. */
export async function open(options: OwnOptions, browser: boolean): Promise<void> {
  const address = `${(await connectionOf(options)).baseUrl}/reference`;
  process.stdout.write(`${address}\n`);
  if (!browser || !process.stdout.isTTY) return;
  const [program, ...words] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true });
  // A machine without a browser has the address.
  child.on('error', () => undefined);
  child.unref();
}
