import { spawn } from 'node:child_process';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  // Not cmd: it would take the characters & and ^ of an address as its own.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the browser, if the machine has one. */
export function openInBrowser(address: string): void {
  if (!/^https?:\/\//i.test(address)) return;
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  // Without a browser, the printed address is enough.
  child.on('error', () => undefined);
  child.unref();
}
