import { spawn } from 'node:child_process';
import { connectionOf } from '../connection.js';
import type { OwnOptions } from '../options.js';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Prints the reference page's address, and opens it if a person is at the terminal. */
export async function open(options: OwnOptions, browser: boolean): Promise<void> {
  const address = `${(await connectionOf(options)).baseUrl}/reference`;
  process.stdout.write(`${address}\n`);
  if (!browser || !process.stdout.isTTY) return;
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  // Without a browser, the printed address is enough.
  child.on('error', () => undefined);
  child.unref();
}
